export type {
  Agents,
  Engine,
  RecordedEvent,
  RunHandle,
  Runs,
  SavedAgent,
  StartOptions,
} from "./engine.ts";
