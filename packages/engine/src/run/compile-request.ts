import type { ResolvedAgent } from "../compile/resolved-agent.ts";
import { readRunRequest } from "./start-run.ts";

/** Reads a request for an agent and compiles what it asks for. */
export function compile(resolved: ResolvedAgent, request: unknown) {
  const read = readRunRequest(request, resolved.entry.definition.parameters);
  return { agent: resolved.compiledFor(read), read };
}
