export type { Agents, SavedAgent } from "./definitions/agents.ts";
export type { Engine } from "./engine.ts";
export type { RecordedEvent } from "./run/recorded-event.ts";
export type { RunHandle, Runs, StartOptions } from "./run/runs.ts";
