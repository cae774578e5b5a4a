/**
 * Begins the turn again with the next model when a provider cannot be reached. Tool calls that have an
 * outcome keep it: the ledger answers them. Steps are counted on, so that no identity is used twice and
 * the limit of tool rounds holds for all models together.
 */

import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import { TraconError } from "@tracon/core";
import { isTransientFault } from "../../model/provider-fault.ts";
import type { BoundModel } from "../../model/provider-registry.ts";
import type { RunTurn, TurnRing } from "../ring.ts";
import type { TurnAgent, TurnAnswer, TurnJournal, TurnRequest, TurnState } from "../step.ts";
import { ToolLedger } from "../tool-ledger.ts";

export const fallbackRing: TurnRing = {
  name: "fallback",

  wrap(next, { fallbacks }) {
    return fallbacks.length === 0 ? next : (request) => tryInOrder(next, request, fallbacks);
  },
};

async function tryInOrder(
  next: RunTurn,
  request: TurnRequest,
  fallbacks: readonly TurnAgent[],
): Promise<TurnAnswer> {
  const { addedTools } = request;
  const agents = [
    request.agent,
    ...(addedTools === undefined
      ? fallbacks
      : fallbacks.map((it) => it.offering?.(addedTools) ?? it)),
  ];
  const conversation = request.prompt.length;
  const said = new SaidBefore(request.state);
  const shown = { journal: request.journal, isAny: false };
  const journal = request.isStreaming ? watched(request.journal, shown) : request.journal;
  const ledger = new ToolLedger();
  request.state.ledger = ledger;
  let first: TraconError | undefined;

  for (const [index, agent] of agents.entries()) {
    ledger.beginAttempt();
    try {
      const answer = await next({ ...request, agent, journal });
      said.restoreWhatRan(ledger);
      return answer;
    } catch (error) {
      said.restoreWhatRan(ledger);
      request.signal.throwIfAborted();
      if (!isTransientFault(error)) throw error;
      first ??= error;
      const fallback = agents[index + 1];
      // What a client has read cannot be taken back.
      if (fallback === undefined || shown.isAny) throw failure(first, agents.slice(0, index + 1));
      request.prompt.length = conversation;
      said.takeBack();
      const payload = { primary: nameOf(agent.bound), fallback: nameOf(fallback.bound) };
      request.journal.emit({ type: "ModelFallbackUsed", payload });
    }
  }
  throw first ?? new TypeError("there is no model to ask");
}

/**
 * What attempts before the last one said. It counts no more, unless a tool ran in it that the last
 * attempt does not know of: what was done must not be missing in the history.
 */
class SaidBefore {
  readonly #transcript: TurnState["transcript"];
  readonly #start: number;
  #takenBack: LanguageModelV4Prompt = [];

  constructor({ transcript }: TurnState) {
    this.#transcript = transcript;
    this.#start = transcript.length;
  }

  takeBack(): void {
    const said = this.#transcript.cut(this.#start);
    if (said.some(({ role }) => role === "tool")) this.#takenBack = said;
  }

  restoreWhatRan(ledger: ToolLedger): void {
    if (!ledger.hasUnclaimed) return;
    this.#transcript.insert(this.#start, this.#takenBack);
    this.#takenBack = [];
  }
}

const nameOf = ({ provider, modelId: model }: BoundModel) => ({ provider, model });

/** The first fault, with everyone who was asked. */
function failure(first: TraconError, tried: readonly TurnAgent[]): TraconError {
  if (tried.length === 1) return first;
  const names = tried.map(({ bound }) => `'${bound.provider}' (${bound.modelId})`).join(", ");
  const { code, message, details, cause } = first;
  return new TraconError(code, `${message}; tried in order: ${names}`, { ...details, cause });
}

/** The journal, with an eye on whether a streaming client was shown anything. */
function watched(journal: TurnJournal, shown: { isAny: boolean }): TurnJournal {
  return {
    emit(event) {
      if (event.type === "ToolInvoking") shown.isAny = true;
      journal.emit(event);
    },
    textDelta(step, delta) {
      shown.isAny = true;
      journal.textDelta(step, delta);
    },
    reasoningDelta(step, delta) {
      shown.isAny = true;
      journal.reasoningDelta(step, delta);
    },
    committed: () => journal.committed(),
  };
}
