import { queryOptions } from "@tanstack/react-query";
import type { TraconClient } from "@tracon/client";
import { instantBefore } from "../home/home-queries.ts";
import type { LoopWindow } from "./agent-route.ts";

/** More criteria than any list of a loop that somebody wrote. */
const MOST_CRITERIA = 200;

export const criteriaQuery = (api: TraconClient, agentName: string, since: LoopWindow) =>
  queryOptions({
    queryKey: ["stats", "criteria", agentName, since],
    queryFn: ({ signal }) =>
      api.statistics.criteria(
        {
          agentName,
          maxCriteria: MOST_CRITERIA,
          ...(since === "all" ? {} : { startedAfter: instantBefore(since) }),
        },
        { signal },
      ),
  });
