import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { AgentRunRequest } from "@tracon/core";
import { useState } from "react";
import { pendingApprovalsQuery } from "../../app/queries.ts";
import { useServices } from "../../app/services.tsx";
import type { InlineDecision, WaitingCall } from "./approval-prompt.tsx";
import { newSessionId } from "./new-session-id.ts";
import type { SessionChoice } from "./session-picker.tsx";
import { newTurn, type Turn } from "./turn.ts";
import { useConversation } from "./use-conversation.ts";

const route = getRouteApi("/playground");

type Bound = Pick<AgentRunRequest, "parameters">;

export type PlaygroundTalk = {
  readonly turns: readonly Turn[];
  readonly isRunning: boolean;
  readonly choice: SessionChoice;
  /** The session whose older messages stand above the turns. */
  readonly pastSessionId: string | undefined;
  /** Calls that wait for a decision before the talk goes on. */
  readonly waiting: readonly WaitingCall[];
  readonly ask: (message: string, bound: Bound) => void;
  readonly decide: (decisions: readonly InlineDecision[], text: string, bound: Bound) => void;
  readonly choose: (choice: SessionChoice) => void;
  readonly stop: () => void;
  readonly clear: () => void;
};

/**
 * A talk with an agent in a session, which the address names. A new session gets its id with its
 * first message, so that a page that is reloaded goes on with it.
 */
export function usePlaygroundTalk(agentName: string): PlaygroundTalk {
  const { session, memory } = route.useSearch();
  const navigate = route.useNavigate();
  const conversation = useConversation();
  const [openedHere, setOpenedHere] = useState<string>();
  const pastSessionId = session === openedHere ? undefined : session;
  const waiting = useWaiting(conversation.turns, pastSessionId);

  const sessionForAsking = (): string | undefined => {
    if (memory === "off" || session !== undefined) return session;
    const id = newSessionId(crypto);
    setOpenedHere(id);
    void navigate({ search: { agent: agentName, session: id }, replace: true });
    return id;
  };

  return {
    turns: conversation.turns,
    isRunning: conversation.isRunning,
    choice: choiceOf(session, memory),
    pastSessionId,
    waiting,
    ask(message, bound) {
      const sessionId = sessionForAsking();
      const inSession = sessionId === undefined ? {} : { sessionId };
      conversation.send(agentName, { message, ...inSession, ...bound }, newTurn(message));
    },
    decide(approvals, text, bound) {
      // A run without a session got one when it stopped.
      const sessionId = conversation.turns.at(-1)?.result?.sessionId ?? session;
      const inSession = sessionId === undefined ? {} : { sessionId };
      const request = { approvals: [...approvals], ...inSession, ...bound };
      conversation.send(agentName, request, newTurn(text, "decision"));
    },
    choose(choice) {
      conversation.clear();
      setOpenedHere(undefined);
      void navigate({ search: { agent: agentName, ...searchOf(choice) }, replace: true });
    },
    stop: conversation.stop,
    clear: conversation.clear,
  };
}

/** What the last run stopped for, or what an older one of the session still waits for. */
function useWaiting(
  turns: readonly Turn[],
  pastSessionId: string | undefined,
): readonly WaitingCall[] {
  const { api } = useServices();
  const { data: pending } = useQuery({
    ...pendingApprovalsQuery(api),
    enabled: pastSessionId !== undefined,
  });
  const last = turns.at(-1);
  if (last !== undefined) return last.state === "completed" ? last.approvals : [];
  return pending?.items.filter(({ sessionId }) => sessionId === pastSessionId) ?? [];
}

function choiceOf(session: string | undefined, memory: "off" | undefined): SessionChoice {
  if (session !== undefined) return { kind: "existing", id: session };
  return { kind: memory === "off" ? "none" : "new" };
}

const searchOf = (choice: SessionChoice) => {
  switch (choice.kind) {
    case "new":
      return {};
    case "none":
      return { memory: "off" as const };
    case "existing":
      return { session: choice.id };
  }
};
