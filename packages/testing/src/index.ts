export { type ManualClock, manualClock, TEST_EPOCH_MS } from "./manual-clock.ts";
export { type LogEntry, type MemoryLog, memoryLog } from "./memory-log.ts";
export {
  type ScriptedModel,
  type ScriptedModelOptions,
  scriptedModel,
} from "./scripted-model/scripted-model.ts";
export type {
  ScriptedEnd,
  ScriptedModelTurn,
  ScriptedStep,
  ScriptedToolCall,
  ScriptedUsage,
} from "./scripted-model/turn.ts";
export type { Sleep } from "./scripted-model/turn-stream.ts";
export { sequentialIds } from "./sequential-ids.ts";
