/**
 * What the harness and the context providers of an agent's extensions add to a turn: instructions,
 * messages and tools that the models read, and that are no part of the run's own conversation.
 */

import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { faultText, TraconError } from "@tracon/core";
import type { HarnessAddition, HarnessProvider } from "../../harness/harness-provider.ts";
import { createToolRegistry, type RegisteredTool } from "../../tools/tool-registry.ts";
import { untilAborted } from "../../tools/until-aborted.ts";
import type { ContextAddition, ContextInput, ContextProvider } from "../context-provider.ts";
import type { RunTurn, TurnRing } from "../ring.ts";
import type { TurnAnswer, TurnRequest } from "../step.ts";

export const contextRing: TurnRing = {
  name: "context",

  wrap(next, { harnessProviders, contextProviders: providers, agentName }) {
    if (providers.length === 0 && harnessProviders.length === 0) return next;
    const all = { harnessProviders, providers, agentName };
    return (request) => withContext(next, request, all);
  },
};

type Providers = {
  readonly harnessProviders: readonly HarnessProvider[];
  readonly providers: readonly ContextProvider[];
  readonly agentName: string;
};

async function withContext(
  next: RunTurn,
  request: TurnRequest,
  { harnessProviders, providers, agentName }: Providers,
): Promise<TurnAnswer> {
  const harness = harnessProviders.flatMap((it) => it.before(request.scope) ?? []);
  if (providers.length === 0) return runWith(withHarness(harness, NOTHING), request, next);
  const input: ContextInput = {
    agentName,
    tenantId: request.tenantId,
    runId: request.runId,
    messages: request.prompt.slice(),
    signal: request.signal,
  };
  const failed = new Set<ContextProvider>();
  let answer: TurnAnswer;
  try {
    const addition = await gather(providers, input, failed, request.agent.tools);
    answer = await runWith(withHarness(harness, addition), request, next);
  } catch (error) {
    await tellAll(providers, { ...input, error }, { failed, request });
    throw error;
  }
  const fault = await tellAll(providers, { ...input, answer: answer.text }, { failed, request });
  request.signal.throwIfAborted();
  if (fault !== undefined) throw fault;
  return answer;
}

/** Everything the providers add. */
type Addition = {
  readonly instructions: readonly string[];
  readonly messages: LanguageModelV4Prompt;
  readonly tools: readonly RegisteredTool[];
};

const NOTHING: Addition = { instructions: [], messages: [], tools: [] };

/** The harness's own stands in front. */
const withHarness = (harness: readonly HarnessAddition[], addition: Addition): Addition => ({
  instructions: [
    ...harness.flatMap(({ instructions }) => instructions ?? []),
    ...addition.instructions,
  ],
  messages: [...harness.flatMap(({ messages }) => messages ?? []), ...addition.messages],
  tools: addition.tools,
});

/** Asks one provider after the other; the one that throws is put into `failed`. */
async function gather(
  providers: readonly ContextProvider[],
  input: ContextInput,
  failed: Set<ContextProvider>,
  known: ReadonlyMap<string, RegisteredTool>,
): Promise<Addition> {
  const instructions: string[] = [];
  const messages: LanguageModelV4Prompt = [];
  const tools = new Map<string, RegisteredTool>();
  for (const provider of providers) {
    try {
      const added = checked(await untilAborted(input.signal, ask(provider, input)));
      if (added?.instructions) instructions.push(added.instructions);
      // Copies: a guard that has passed an object once does not look at it in the next run.
      messages.push(...(added?.messages ?? []).map((message) => ({ ...message })));
      for (const tool of await toolsOf(added)) {
        if (known.has(tool.name) || tools.has(tool.name)) throw nameClash(provider, tool);
        tools.set(tool.name, tool);
      }
    } catch (error) {
      input.signal.throwIfAborted();
      failed.add(provider);
      throw failureOf(provider, error);
    }
  }
  return { instructions, messages, tools: [...tools.values()] };
}

/** A provider need not be asynchronous to throw. */
const ask = async (provider: ContextProvider, input: ContextInput) => provider.before?.(input);

/** What is no text and no list would reach the model as something else. */
function checked(added: ContextAddition | undefined): ContextAddition | undefined {
  const { instructions = "", messages = [] } = added ?? {};
  if (typeof instructions !== "string") throw new TypeError("instructions are a text");
  if (!Array.isArray(messages)) throw new TypeError("messages are a list");
  return added;
}

async function toolsOf(addition: ContextAddition | undefined): Promise<readonly RegisteredTool[]> {
  const names = Object.keys(addition?.tools ?? {});
  if (addition?.tools === undefined || names.length === 0) return [];
  const { registry, findings } = await createToolRegistry(addition.tools);
  const [problem] = findings;
  if (problem !== undefined) throw new TypeError(`${problem.path}: ${problem.message}`);
  const tools = names.map((name) => registry.get(name)).filter((tool) => tool !== undefined);
  const waiting = tools.find(
    ({ execute, approval }) => execute === undefined || approval !== "never",
  );
  if (waiting === undefined) return tools;
  // The run that goes on may have another addition, so such a call could not be bound to it.
  throw new TypeError(`tool '${waiting.name}' must have a body and must not ask for approval`);
}

const nameClash = ({ name }: ContextProvider, tool: RegisteredTool) =>
  new TraconError(
    "extension_failed",
    `context provider '${name}' adds tool '${tool.name}', which the agent has already`,
  );

function failureOf({ name }: ContextProvider, error: unknown): TraconError {
  if (TraconError.is(error)) return error;
  const message = `context provider '${name}' of an agent extension failed`;
  return new TraconError("extension_failed", message, { cause: error });
}

/** What the turn adds to the conversation is the run's own; what the providers added is not. */
async function runWith(
  addition: Addition,
  request: TurnRequest,
  next: RunTurn,
): Promise<TurnAnswer> {
  const { tools } = addition;
  const prompt = promptWith(addition, request.prompt);
  const { length } = prompt;
  const answer = await next({
    ...request,
    prompt,
    ...(tools.length === 0
      ? {}
      : { agent: request.agent.offering?.(tools) ?? request.agent, addedTools: tools }),
  });
  request.prompt.push(...prompt.slice(length));
  return answer;
}

function promptWith(
  { instructions, messages }: Addition,
  prompt: LanguageModelV4Prompt,
): LanguageModelV4Prompt {
  const [first] = prompt;
  const own = first?.role === "system" ? first : undefined;
  const rest = own === undefined ? prompt : prompt.slice(1);
  const system = systemWith(own, instructions);
  // Results stand behind their calls, so a turn that begins with them has what is added behind it.
  const end = rest.at(-1)?.role === "user" ? rest.length - 1 : rest.length;
  return [
    ...(system === undefined ? [] : [system]),
    ...rest.slice(0, end),
    ...messages,
    ...rest.slice(end),
  ];
}

function systemWith(
  own: (LanguageModelV4Message & { readonly role: "system" }) | undefined,
  instructions: readonly string[],
): LanguageModelV4Message | undefined {
  if (instructions.length === 0) return own;
  const content = [...(own === undefined ? [] : [own.content]), ...instructions].join("\n");
  return { ...own, role: "system", content };
}

/**
 * Tells every provider but those that failed how the turn ended. Returns the first fault of one that
 * was told of an answer; when the turn failed already, its own fault is the one that counts.
 */
async function tellAll(
  providers: readonly ContextProvider[],
  outcome: Parameters<NonNullable<ContextProvider["after"]>>[0],
  {
    failed,
    request,
  }: { readonly failed: ReadonlySet<ContextProvider>; readonly request: TurnRequest },
): Promise<TraconError | undefined> {
  const { signal, log } = request;
  let fault: TraconError | undefined;
  for (const provider of providers) {
    if (failed.has(provider) || provider.after === undefined) continue;
    try {
      const told = tell(provider, outcome);
      // Nothing keeps a cancelled run alive.
      if (signal.aborted) told.catch((error) => log.warn(TOLD_FAILED, logFields(provider, error)));
      else await untilAborted(signal, told);
    } catch (error) {
      if (signal.aborted) continue;
      log.warn(TOLD_FAILED, logFields(provider, error));
      fault ??= failureOf(provider, error);
    }
  }
  return fault;
}

const TOLD_FAILED = "a context provider failed behind the turn";

const logFields = ({ name }: ContextProvider, error: unknown) => ({
  provider: name,
  error: faultText(error),
});

const tell = async (
  provider: ContextProvider,
  outcome: Parameters<NonNullable<ContextProvider["after"]>>[0],
) => provider.after?.(outcome);
