import { useQueryClient } from "@tanstack/react-query";
import type { RunEvent } from "@tracon/core";
import { useEffect, useState } from "react";
import { runQuery } from "../../app/queries.ts";
import { useServices } from "../../app/services.tsx";
import { useFrameBatches } from "../../design/use-frame-batches.ts";
import { EMPTY_TIMELINE, foldEvents, type Timeline } from "./timeline.ts";

export type RunEventsState = {
  readonly events: readonly RunEvent[];
  readonly timeline: Timeline;
  /** Why the events cannot be followed any further. */
  readonly error: unknown;
  /** Follows again, from the first event. */
  readonly reconnect: () => void;
};

type Received = Pick<RunEventsState, "events" | "timeline">;
const NOTHING: Received = { events: [], timeline: EMPTY_TIMELINE };

/** Follows a run's journal to its end, live or past, one render per drawn frame. */
export function useRunEvents(runId: string): RunEventsState {
  const { api } = useServices();
  const queries = useQueryClient();
  const [received, setReceived] = useState(NOTHING);
  const [error, setError] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  const { push, flush } = useFrameBatches<RunEvent>((batch) =>
    setReceived((before) => ({
      events: [...before.events, ...batch],
      timeline: foldEvents(before.timeline, batch),
    })),
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: an attempt follows again, from the start
  useEffect(() => {
    const leave = new AbortController();
    const follow = async () => {
      try {
        for await (const event of api.runs.events(runId, { signal: leave.signal })) push(event);
        flush();
        await queries.invalidateQueries({ queryKey: runQuery(api, runId).queryKey });
      } catch (caught) {
        if (!leave.signal.aborted) setError(caught);
      }
    };
    setReceived(NOTHING);
    setError(undefined);
    void follow();
    return () => leave.abort();
  }, [api, queries, runId, attempt, push, flush]);

  return { ...received, error, reconnect: () => setAttempt(attempt + 1) };
}
