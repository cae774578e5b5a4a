export type {
  AgentDefinition,
  AgentDefinitionRequest,
  AgentRunRequest,
  Finding,
  RunEvent,
  RunFrame,
  RunRecord,
  RunResult,
} from "@tracon/core";
export { TraconError } from "@tracon/core";
export type { ToolEffect, ToolRegistration } from "@tracon/engine";
export {
  defineConfig,
  type ModelConfig,
  type RunRecordingConfig,
  type ServerConfig,
  type TraconConfig,
} from "./config/config.ts";
export { type CreateTraconOptions, createTracon } from "./create-tracon.ts";
export type { FastifyPlugin } from "./http/fastify.ts";
export type { NextFunction } from "./http/node.ts";
export type { RunOptions, Tracon, TraconAgents, TraconRuns } from "./tracon.ts";
