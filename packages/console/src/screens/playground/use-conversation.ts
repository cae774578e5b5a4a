import type { AgentRunRequest, RunFrame } from "@tracon/core";
import { useEffect, useRef, useState } from "react";
import { useServices } from "../../app/services.tsx";
import { useFrameBatches } from "../../design/use-frame-batches.ts";
import { closed, foldFrames, type Turn } from "./turn.ts";

export type Conversation = {
  readonly turns: readonly Turn[];
  readonly isRunning: boolean;
  /** Starts a run whose answer becomes the next turn. */
  readonly send: (agentName: string, request: AgentRunRequest, turn: Turn) => void;
  /** Ends the run that goes on. */
  readonly stop: () => void;
  readonly clear: () => void;
};

/** The run that goes on, as far as this page knows it. */
type RunningRun = {
  /** Ends the reading; the run itself goes on. */
  readonly leave: AbortController;
  runId: string | undefined;
  isStopping: boolean;
};

/**
 * What was asked and answered since the page was opened. One run goes on at a time; it outlives the
 * page, and only a person who says so ends it.
 */
export function useConversation(): Conversation {
  const { api } = useServices();
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const running = useRef<RunningRun>(undefined);
  const changeLast = (change: (turn: Turn) => Turn) =>
    setTurns((before) => {
      const last = before.at(-1);
      return last === undefined ? before : before.with(-1, change(last));
    });
  const { push, flush } = useFrameBatches<RunFrame>((frames) =>
    changeLast((turn) => foldFrames(turn, frames)),
  );
  useEffect(() => () => running.current?.leave.abort(), []);

  /** A run that has ended meanwhile needs no stopping, so a refusal says nothing new. */
  const cancel = (runId: string) => void api.runs.cancel(runId).catch(() => undefined);
  const stopRunning = () => {
    const run = running.current;
    if (run === undefined || run.isStopping) return;
    run.isStopping = true;
    if (run.runId !== undefined) cancel(run.runId);
  };

  const identify = (run: RunningRun, runId: string) => {
    run.runId = runId;
    // Whoever stopped it did so before it had an id.
    if (run.isStopping) cancel(runId);
  };

  const follow = async (
    agentName: string,
    request: AgentRunRequest,
    run: RunningRun,
  ): Promise<void> => {
    const { signal } = run.leave;
    try {
      for await (const frame of api.stream(agentName, request, { signal })) {
        if (frame.event === "run") identify(run, frame.data.runId);
        push(frame);
      }
      flush();
    } catch (error) {
      flush();
      if (!signal.aborted) changeLast((turn) => ({ ...closed(turn, "failed"), error }));
    } finally {
      if (running.current === run) running.current = undefined;
    }
  };

  return {
    turns,
    isRunning: turns.at(-1)?.state === "running",
    send(agentName, request, turn) {
      // A run that was stopped may still be read; its turn is closed and takes no more.
      running.current?.leave.abort();
      const run = { leave: new AbortController(), runId: undefined, isStopping: false };
      running.current = run;
      setTurns((before) => [...before, turn]);
      void follow(agentName, request, run);
    },
    stop() {
      flush();
      stopRunning();
      changeLast((turn) => (turn.state === "running" ? closed(turn, "stopped") : turn));
    },
    clear() {
      stopRunning();
      setTurns([]);
    },
  };
}
