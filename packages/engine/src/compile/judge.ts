/**
 * The judge of an installation: a turn of its own, so that its calls take the way of any model call,
 * with fallbacks, repetitions, circuit breaker, guards, budget and spans. It is built once, when a
 * definition first asks for it, and shared by all of them.
 */

import type { JSONSchema7, LanguageModelV4Prompt } from "@ai-sdk/provider";
import {
  type AgentDefinitionContent,
  agentDefinitionRequestSchema,
  type Finding,
  type JudgeBinding,
} from "@tracon/core";
import type {
  Judge,
  JudgeCall,
  JudgedRun,
  JudgeModel,
  JudgeReply,
  JudgeState,
} from "../loop/judge.ts";
import { JudgeJournal } from "../loop/judge-journal.ts";
import type { BoundModel, ProviderRegistry } from "../model/provider-registry.ts";
import { createTurnState } from "../turn/step.ts";
import { noExtensions } from "./extensions.ts";
import { compileFallbacks, compileModel } from "./model.ts";
import type { CompiledFormat } from "./response-format.ts";
import { assembleTurn, type CompiledTurn, type RingHosts, responseCacheFindings } from "./turn.ts";

export type JudgeContext = RingHosts & { readonly providers: ProviderRegistry };

/** Builds the judge with the first call, and again with the next one as long as it cannot be built. */
export function lazyJudge(
  binding: JudgeBinding | undefined,
  context: JudgeContext,
): () => JudgeState {
  if (binding === undefined) return () => ({ kind: "unconfigured" });
  let ready: JudgeState | undefined;
  return () => {
    if (ready !== undefined) return ready;
    const state = buildJudge(binding, context);
    if (state.kind === "ready") ready = state;
    return state;
  };
}

function buildJudge(binding: JudgeBinding, context: JudgeContext): JudgeState {
  const definition = definitionOf(binding);
  const findings: Finding[] = [];
  const model = compileModel(definition.model, context.providers, findings);
  const fallbacks = compileFallbacks(definition.model, context.providers, findings);
  findings.push(...responseCacheFindings(definition, context));
  if (model === undefined || findings.length > 0) {
    const reasons = findings.map(({ path, message }) => `${placeOf(path)}: ${message}`);
    return { kind: "unavailable", reason: reasons.join("; ") };
  }
  const format = formatFor([model.bound, ...fallbacks], context.providers);
  const tools = { byName: new Map(), offered: [] };
  const extensions = noExtensions(model.options);
  const parts = { definition, model, fallbacks, format, tools, extensions, harnessProviders: [] };
  return { kind: "ready", judge: judgeOf(assembleTurn(parts, context)) };
}

/** Paths of a binding begin at `model`, where definitions have theirs. */
const placeOf = (path: string): string => path.replace(/^model/, "judge");

/** A judge calls no tools: its first answer is its last one. */
function definitionOf(model: JudgeBinding): AgentDefinitionContent {
  const content = agentDefinitionRequestSchema.parse({ name: "judge", model, harness: {} });
  const { harness } = content;
  return { ...content, harness: harness && { ...harness, maximumIterationsPerRequest: 0 } };
}

const VERDICT_SCHEMA: JSONSchema7 = {
  type: "object",
  properties: {
    answered: { type: "boolean", description: "Nothing is missing any more." },
    gapAnalysis: { type: "string", description: "What is missing; empty when nothing is." },
  },
  required: ["answered", "gapAnalysis"],
  additionalProperties: false,
};

/**
 * The shape is asked for where every model of the judge can give it: a model nobody listed may, one
 * that is listed says so. It is never insisted on, because an answer of another shape can be read too.
 */
function formatFor(models: readonly BoundModel[], providers: ProviderRegistry): CompiledFormat {
  const isSupported = models.every(
    ({ provider, modelId }) =>
      providers.listed(provider, modelId)?.supportsStructuredOutput !== false,
  );
  return {
    requested: isSupported ? { type: "json", name: "verdict", schema: VERDICT_SCHEMA } : undefined,
    answerFormat: () => undefined,
  };
}

const judgeOf = (turn: CompiledTurn): Judge => ({
  ask: (prompt, run, onCall) => ask(turn, prompt, run, onCall),
});

async function ask(
  { agent, run: runTurn }: CompiledTurn,
  prompt: LanguageModelV4Prompt,
  run: JudgedRun,
  onCall: (call: JudgeCall) => void,
): Promise<JudgeReply> {
  const journal = new JudgeJournal({
    run: run.journal,
    model: namesOf(agent.bound),
    monotonicMs: () => run.clock.monotonicMs(),
    onCall,
  });
  // Everything in it was inspected when it came, as what it was.
  for (const message of prompt) agent.guards?.inspected.add(message);
  const { tenantId, runId, iteration, signal, clock, log, budget, scope } = run;
  const given = { tenantId, runId, iteration, signal, clock, log, budget, scope };
  const own = { agent, prompt, journal, isStreaming: false, state: createTurnState() };
  try {
    const { text, bound } = await runTurn({ ...given, ...own });
    return { kind: "answered", text, by: namesOf(bound) };
  } catch (error) {
    journal.breakOff();
    signal.throwIfAborted();
    return { kind: "failed", error, by: journal.asked };
  }
}

const namesOf = ({ provider, modelId: model }: BoundModel): JudgeModel => ({ provider, model });
