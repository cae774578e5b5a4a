/** Agents that code builds: each run has one of its own, and nothing of it is compiled. */

import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import { type ChatMessage, faultText, type Log, TraconError } from "@tracon/core";
import { fillPrompt } from "../attachment/fill-prompt.ts";
import type { OwnAgent } from "../catalog/catalog-entry.ts";
import type { SdkAgent } from "../catalog/sdk-agent.ts";
import { isSdkAgent } from "../catalog/sources/custom.ts";
import { passText } from "../model/rings/attachment.ts";
import type { Conversation } from "../session/conversation.ts";
import { promptOfHistory } from "../session/history-prompt.ts";
import { runSdkAgent } from "../turn/sdk-agent-turn.ts";
import type { CompileContext } from "./compile-agent.ts";
import { createOwnModel, type OwnModelRun } from "./own-models.ts";
import type { RunnableAgent } from "./runnable-agent.ts";

/** Builds agents; keeps only which of them were warned about. */
export class OwnAgents {
  readonly #context: CompileContext;
  readonly #warned = new Set<string>();

  constructor(context: CompileContext) {
    this.#context = context;
  }

  /** Calls the factory. Throws `agent_failed` when it throws or gives no agent. */
  async build(tenantId: string, { name, own }: OwnAgent): Promise<RunnableAgent> {
    const context = this.#context;
    let run: OwnModelRun | undefined;
    let hasOurModel = false;
    const agent = await create(name, context.log, () =>
      own.create({
        agentName: name,
        tenantId,
        createModel(request) {
          hasOurModel = true;
          return createOwnModel(request, context, () => run);
        },
      }),
    );
    if (!hasOurModel) this.#warnOnce(name);
    const { model: binding } = own;
    const model = binding && { provider: binding.provider, model: binding.model };
    return {
      name,
      version: 1,
      model,
      hasJsonOutput: false,
      guards: context.modelHost.guards,
      lockfileHash: undefined,
      definitionHash: undefined,
      childWaits: {},
      progress: undefined,
      tools: new Map(),
      async answer(asked, { journal, conversation, signal, clock, log, runId, budget }) {
        run = { tenantId, runId, journal, signal, clock, log, budget: budget?.forCalls };
        const shared = { journal, conversation, signal, clock, log };
        try {
          const prompt = await promptOf(context, { asked, conversation, run });
          await runSdkAgent({ agent, prompt, model, iteration: 1, ...shared });
        } finally {
          run = undefined;
        }
        return [];
      },
    };
  }

  #warnOnce(agent: string): void {
    if (this.#warned.has(agent)) return;
    this.#warned.add(agent);
    const message =
      "an agent that code builds uses a model of its own: no model ring of this installation is around its calls";
    this.#context.log.warn(message, { agent });
  }
}

type OwnQuestion = {
  readonly asked: ChatMessage | undefined;
  readonly conversation: Conversation;
  readonly run: OwnModelRun;
};

/** Its models may be its own, to which the names of attachments say nothing. */
function promptOf(
  { modelHost: { readAttachment, guards } }: CompileContext,
  { asked, conversation, run }: OwnQuestion,
): Promise<LanguageModelV4Prompt> {
  const said = promptOfHistory(asked === undefined ? [] : [asked]);
  return fillPrompt([...conversation.history, ...said.prompt], {
    read: async (id) => readAttachment?.(run.tenantId, id),
    passText: (text) => passText(text, guards, run),
  });
}

async function create(
  name: string,
  log: Log,
  factory: () => SdkAgent | PromiseLike<SdkAgent>,
): Promise<SdkAgent> {
  let built: unknown;
  try {
    built = await factory();
  } catch (error) {
    if (TraconError.is(error)) throw error;
    const message = `the code that builds agent '${name}' failed`;
    // There is no run yet whose fault the log would have.
    log.warn("the code that builds an agent failed", { agent: name, error: faultText(error) });
    throw new TraconError("agent_failed", message, { cause: error });
  }
  if (isSdkAgent(built)) return built;
  const message = `the code that builds agent '${name}' gave no agent of the AI SDK (agent-v1)`;
  throw new TraconError("agent_failed", message);
}
