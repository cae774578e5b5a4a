/**
 * An agent of the catalog with everything its definition depends on, and what was compiled of it:
 * one agent for each resolved culture, shared by all runs in it. A run with parameter values is
 * compiled for itself and never kept.
 */

import { type Finding, TraconError } from "@tracon/core";
import type { DefinedAgent } from "../catalog/catalog-entry.ts";
import { type CompileContext, type CompiledAgent, compileAgent } from "./compile-agent.ts";
import { resolveCulture } from "./culture.ts";
import { type Dependencies, isSameDependencies } from "./dependencies.ts";
import { isSameEntry } from "./found-agent.ts";
import type { BoundParameters } from "./parameters.ts";

export class ResolvedAgent {
  readonly entry: DefinedAgent;
  readonly dependencies: Dependencies;
  readonly #context: CompileContext;
  #byCulture: Map<string, CompiledAgent> | undefined;
  #default: CompiledAgent | undefined;

  constructor(entry: DefinedAgent, dependencies: Dependencies, context: CompileContext) {
    this.entry = entry;
    this.dependencies = dependencies;
    this.#context = context;
  }

  /** The agent of a run in a culture, with values in its text when there are any. */
  compiledFor({
    culture,
    values,
  }: {
    readonly culture?: string | undefined;
    readonly values: BoundParameters | undefined;
  }): CompiledAgent {
    return values === undefined ? this.inCulture(culture) : this.withParameters(culture, values);
  }

  /** The agent as runs in `culture` share it. Throws `compilation_failed` with every finding. */
  inCulture(culture: string | undefined): CompiledAgent {
    const key = resolveCulture(this.entry.definition.instructionsByCulture, culture);
    if (key === undefined) {
      this.#default ??= this.#compile(undefined, undefined);
      return this.#default;
    }
    this.#byCulture ??= new Map();
    let agent = this.#byCulture.get(key);
    if (agent === undefined) {
      agent = this.#compile(key, undefined);
      this.#byCulture.set(key, agent);
    }
    return agent;
  }

  /** The agent of one run, with values in its text. Throws `compilation_failed`. */
  withParameters(culture: string | undefined, parameters: BoundParameters): CompiledAgent {
    const key = resolveCulture(this.entry.definition.instructionsByCulture, culture);
    return this.#compile(key, parameters);
  }

  #compile(culture: string | undefined, parameters: BoundParameters | undefined): CompiledAgent {
    const { definition, contentHash } = this.entry;
    const input = {
      definitionHash: contentHash,
      dependencies: this.dependencies,
      culture,
      parameters,
    };
    const { agent, findings } = compileAgent(definition, input, this.#context);
    if (agent !== undefined) return agent;
    throw new TraconError("compilation_failed", reasonOf(definition.name, findings), { findings });
  }
}

/** A pin that leads nowhere is the one fault that comes about by itself, so it is said at once. */
function reasonOf(name: string, findings: readonly Finding[]): string {
  const pin = findings.find(({ code }) => code === "callable_agent_version_not_found");
  return pin?.message ?? `agent '${name}' does not compile any more`;
}

/** Whether an agent looked up again is what it was, with all it depends on. */
export const isSameAgent = (
  known: ResolvedAgent,
  entry: DefinedAgent,
  dependencies: Dependencies,
): boolean =>
  isSameEntry(known.entry, entry) && isSameDependencies(known.dependencies, dependencies);
