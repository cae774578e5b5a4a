/**
 * Begins the turn again with the next model when a provider cannot be reached. Tool calls that have an
 * outcome keep it: the ledger answers them. Steps are counted on, so that no identity is used twice and
 * the limit of tool rounds holds for all models together.
 */

import { TraconError } from "@tracon/core";
import { isTransientFault } from "../../model/provider-fault.ts";
import type { BoundModel } from "../../model/provider-registry.ts";
import type { RunTurn, TurnRing } from "../ring.ts";
import type { TurnAgent, TurnAnswer, TurnJournal, TurnRequest } from "../step.ts";
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
  const shown = { journal: request.journal, isAny: false };
  const journal = request.isStreaming ? watched(request.journal, shown) : request.journal;
  const ledger = new ToolLedger();
  request.state.ledger = ledger;
  let first: TraconError | undefined;

  for (const [index, agent] of agents.entries()) {
    ledger.beginAttempt();
    try {
      return await next({ ...request, agent, journal });
    } catch (error) {
      request.signal.throwIfAborted();
      if (!isTransientFault(error)) throw error;
      first ??= error;
      const fallback = agents[index + 1];
      // What a client has read cannot be taken back.
      if (fallback === undefined || shown.isAny) throw failure(first, agents.slice(0, index + 1));
      request.prompt.length = conversation;
      const payload = { primary: nameOf(agent.bound), fallback: nameOf(fallback.bound) };
      request.journal.emit({ type: "ModelFallbackUsed", payload });
    }
  }
  throw first ?? new TypeError("there is no model to ask");
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
