import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { RunEvent, RunRecord } from "@tracon/core";
import { useEffect, useMemo, useState } from "react";
import { runQuery, runTreeQuery } from "../../../app/queries.ts";
import { useServices } from "../../../app/services.tsx";
import { isOfTree, type TreeRuns, treeRuns } from "./run-tree.ts";

const NO_RUNS: TreeRuns = new Map();

export type RunTreeState = {
  /** The run called others, or was called. */
  readonly isTree: boolean;
  /** Empty until the tree has been read. */
  readonly runs: TreeRuns;
  readonly error: unknown;
  readonly retry: () => void;
};

/**
 * The tree a run is part of, as it stands. What begins and ends in it is told by the root's journal,
 * which is followed besides the run's own only while `followsRoot`.
 */
export function useRunTree(
  run: RunRecord,
  events: readonly RunEvent[],
  followsRoot: boolean,
): RunTreeState {
  const { api } = useServices();
  const queries = useQueryClient();
  const rootRunId = run.rootRunId ?? run.id;
  const isRoot = rootRunId === run.id;
  const own = useMemo(() => events.filter(isOfTree), [events]);
  const isTree = !isRoot || run.childRunCount > 0 || own.length > 0;
  const tree = useQuery({ ...runTreeQuery(api, rootRunId), enabled: isTree });
  const roots = useRootEvents(rootRunId, followsRoot && !isRoot);
  const told = useMemo(() => [...roots, ...own], [roots, own]);
  const runs = useMemo(
    () => (tree.data === undefined ? NO_RUNS : treeRuns(tree.data, told)),
    [tree.data, told],
  );

  const news = told.length;
  useEffect(() => {
    if (news === 0) return;
    // The journal says that something changed, the records what it used; the budget stands on the run.
    void queries.invalidateQueries({ queryKey: runTreeQuery(api, rootRunId).queryKey });
    void queries.invalidateQueries({ queryKey: runQuery(api, run.id).queryKey, exact: true });
  }, [api, queries, rootRunId, run.id, news]);

  return { isTree, runs, error: tree.error, retry: () => void tree.refetch() };
}

/** What the root's journal tells of the runs below it, to its end. */
function useRootEvents(rootRunId: string, isFollowed: boolean): readonly RunEvent[] {
  const { api } = useServices();
  const [events, setEvents] = useState<readonly RunEvent[]>([]);
  useEffect(() => {
    if (!isFollowed) return;
    const leave = new AbortController();
    const follow = async () => {
      for await (const event of api.runs.events(rootRunId, { signal: leave.signal })) {
        if (isOfTree(event)) setEvents((before) => [...before, event]);
      }
    };
    setEvents([]);
    // The records are read again and again while runs go on: without the journal they are only later.
    follow().catch(() => undefined);
    return () => leave.abort();
  }, [api, rootRunId, isFollowed]);
  return events;
}
