export { type AgentSourceSubject, agentSourceContract } from "./agent-source-contract.ts";
export { BARE_HARNESS } from "./bare-harness.ts";
export type {
  ContractCase,
  ContractStores,
  ContractSubject,
  StoreContract,
} from "./contracts/contract.ts";
export { definitionStoreContract } from "./contracts/definition-store.ts";
export { storeContracts } from "./contracts/index.ts";
export { runJournalContract } from "./contracts/run-journal.ts";
export { runListContract } from "./contracts/run-list.ts";
export { runStoreContract } from "./contracts/run-store.ts";
export { sessionStoreContract } from "./contracts/session-store.ts";
export { sessionWriteContract } from "./contracts/session-write.ts";
export { storedTextContract } from "./contracts/stored-text.ts";
export type { FakeOpenAiRequest, FakeRequestState } from "./fake-openai/exchange.ts";
export {
  type FakeOpenAi,
  type FakeOpenAiOptions,
  type FakeOpenAiStep,
  startFakeOpenAi,
} from "./fake-openai/start-fake-openai.ts";
export type {
  FakeBreak,
  FakeFaults,
  FakeFinishReason,
  FakeHttpError,
  FakeOpenAiTurn,
  FakeToolCall,
  FakeUsage,
} from "./fake-openai/turn.ts";
export {
  type Effect,
  type GatedEngine,
  type GatedEngineOptions,
  startGatedEngine,
} from "./gated-engine.ts";
export {
  type DecideIteration,
  type LoopEngineOptions,
  startLoopEngine,
} from "./loop-engine.ts";
export { type ManualClock, manualClock, TEST_EPOCH_MS } from "./manual-clock.ts";
export { type LogEntry, type MemoryLog, memoryLog } from "./memory-log.ts";
export { type Measurement, type MemoryMeter, memoryMeter } from "./memory-meter.ts";
export { createTestDatabase, serveTestDatabases } from "./postgres-databases.ts";
export { type PostgresServer, postgresAt, startPostgres } from "./postgres-server.ts";
export { historyProblems } from "./scripted-model/history-problems.ts";
export { promptLines } from "./scripted-model/prompt-lines.ts";
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
export { type StoreEngine, storeMatrix } from "./store-matrix.ts";
export {
  startTestEngine,
  type TestEngine,
  type TestEngineOptions,
  type TestRun,
} from "./test-engine.ts";
export { type Hostable, startTestHost, type TestHost } from "./test-host.ts";
