export { createServer } from "./create-server.ts";
export { type OpenApiDocument, openApiDocument } from "./openapi/document.ts";
export { createProblemDescriber } from "./problem.ts";
export type {
  ConnectionInfo,
  ConsoleFile,
  ConsoleFiles,
  Server,
  ServerLimits,
  ServerOptions,
  Timer,
} from "./server-options.ts";
