import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import type { RunListQuery } from "@tracon/client";
import type { RunRecord } from "@tracon/core";
import { useEffect, useMemo } from "react";
import { newestRunsQuery, RUN_PAGE_SIZE, runPagesQuery } from "../../app/queries.ts";
import { useServices } from "../../app/services.tsx";
import { mergeRuns } from "./merge-runs.ts";

export type RunListState = {
  /** Newest first; `undefined` until the first page is here. */
  readonly runs: readonly RunRecord[] | undefined;
  readonly error: unknown;
  readonly retry: () => void;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly loadMore: () => void;
};

/** The runs of a filter, in pages, with the newest ones kept up to date. */
export function useRunList(filter: RunListQuery): RunListState {
  const { api } = useServices();
  const queries = useQueryClient();
  const pagesQuery = runPagesQuery(api, filter);
  const pages = useInfiniteQuery(pagesQuery);
  const newest = useQuery({ ...newestRunsQuery(api, filter), enabled: pages.isSuccess });

  const merged = useMemo(() => {
    const paged = pages.data?.pages.flatMap((page) => page.items) ?? [];
    // A look that is older than the pages would bring back what they have left behind.
    const isOlder = newest.dataUpdatedAt < pages.dataUpdatedAt;
    const isAll = (newest.data?.length ?? 0) < RUN_PAGE_SIZE;
    return mergeRuns(
      paged,
      newest.data === undefined || isOlder ? undefined : { runs: newest.data, isAll },
    );
  }, [pages.data, pages.dataUpdatedAt, newest.data, newest.dataUpdatedAt]);

  const { queryKey } = pagesQuery;
  const { hasGap } = merged;
  useEffect(() => {
    if (hasGap) void queries.resetQueries({ queryKey });
  }, [hasGap, queries, queryKey]);

  return {
    runs: pages.data === undefined ? undefined : merged.runs,
    error: pages.error,
    retry: () => void pages.refetch(),
    // The pages may say that there is more although fewer runs than one page match by now.
    hasMore: pages.hasNextPage && merged.runs.length >= RUN_PAGE_SIZE,
    isLoadingMore: pages.isFetchingNextPage,
    loadMore: () => void pages.fetchNextPage(),
  };
}
