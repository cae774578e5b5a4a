import type { AgentRunRequest, RunFrame } from "@tracon/core";
import { useEffect, useRef, useState } from "react";
import { useServices } from "../../app/services.tsx";
import { useFrameBatches } from "../../design/use-frame-batches.ts";
import { closed, foldFrames, newTurn, type Turn } from "./turn.ts";

export type Conversation = {
  readonly turns: readonly Turn[];
  readonly isRunning: boolean;
  /** Starts a run of its own. */
  readonly send: (
    agentName: string,
    request: AgentRunRequest & { readonly message: string },
  ) => void;
  /** Ends the run that goes on. */
  readonly stop: () => void;
  readonly clear: () => void;
};

/** What was asked and answered since the page was opened. One run goes on at a time. */
export function useConversation(): Conversation {
  const { api } = useServices();
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const running = useRef<AbortController>(undefined);
  const changeLast = (change: (turn: Turn) => Turn) =>
    setTurns((before) => {
      const last = before.at(-1);
      return last === undefined ? before : before.with(-1, change(last));
    });
  const { push, flush } = useFrameBatches<RunFrame>((frames) =>
    changeLast((turn) => foldFrames(turn, frames)),
  );
  useEffect(() => () => running.current?.abort(), []);

  const follow = async (
    agentName: string,
    request: AgentRunRequest,
    leave: AbortController,
  ): Promise<void> => {
    try {
      const options = { signal: leave.signal, abortOnDisconnect: true };
      for await (const frame of api.stream(agentName, request, options)) push(frame);
      flush();
    } catch (error) {
      flush();
      if (!leave.signal.aborted) changeLast((turn) => ({ ...closed(turn, "failed"), error }));
    } finally {
      if (running.current === leave) running.current = undefined;
    }
  };

  return {
    turns,
    isRunning: turns.at(-1)?.state === "running",
    send(agentName, request) {
      const leave = new AbortController();
      running.current = leave;
      setTurns((before) => [...before, newTurn(request.message)]);
      void follow(agentName, request, leave);
    },
    stop() {
      flush();
      running.current?.abort();
      changeLast((turn) => (turn.state === "running" ? closed(turn, "stopped") : turn));
    },
    clear() {
      running.current?.abort();
      setTurns([]);
    },
  };
}
