import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { RunListQuery, SessionListQuery, TraconClient } from "@tracon/client";
import type { AgentRunRequest, PendingApproval } from "@tracon/core";

/** Runs a page of the list holds. */
export const RUN_PAGE_SIZE = 100;
/** Time between two looks for new runs. */
export const LIST_REFRESH_MS = 4_000;

export const metaQuery = (api: TraconClient) =>
  queryOptions({
    queryKey: ["meta"],
    queryFn: ({ signal }) => api.meta({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const agentsQuery = (api: TraconClient) =>
  queryOptions({
    queryKey: ["agents"],
    queryFn: ({ signal }) => api.agents.list({ signal }),
  });

export const agentQuery = (api: TraconClient, name: string) =>
  queryOptions({
    queryKey: ["agents", name],
    queryFn: ({ signal }) => api.agents.get(name, { signal }),
  });

export const agentVersionsQuery = (api: TraconClient, name: string) =>
  queryOptions({
    queryKey: ["agents", name, "versions"],
    queryFn: ({ signal }) => api.agents.versions(name, { signal }),
  });

export const runQuery = (api: TraconClient, runId: string) =>
  queryOptions({
    queryKey: ["runs", runId],
    queryFn: ({ signal }) => api.runs.get(runId, { signal }),
  });

export const runInputQuery = (api: TraconClient, runId: string) =>
  queryOptions({
    queryKey: ["runs", runId, "input"],
    queryFn: ({ signal }) => api.runs.input(runId, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Time between two looks at a tree of which something goes on; its journal tells what is new before. */
const TREE_REFRESH_MS = 2_000;

/** Every run of the tree, asked of its root. */
export const runTreeQuery = (api: TraconClient, rootRunId: string) =>
  queryOptions({
    queryKey: ["runs", rootRunId, "tree"],
    queryFn: ({ signal }) => api.runs.tree(rootRunId, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.some(({ completedAt }) => completedAt === undefined) === true
        ? TREE_REFRESH_MS
        : false,
  });

/** Time between two looks at the trace of a run that goes on. */
const TRACE_REFRESH_MS = 2_000;

export const runTraceQuery = (api: TraconClient, rootRunId: string, isLive: boolean) =>
  queryOptions({
    queryKey: ["runs", rootRunId, "trace"],
    queryFn: ({ signal }) => api.runs.trace(rootRunId, { signal }),
    refetchInterval: isLive ? TRACE_REFRESH_MS : false,
  });

export const runPagesQuery = (api: TraconClient, filter: RunListQuery) =>
  infiniteQueryOptions({
    queryKey: ["runs", "pages", filter],
    queryFn: ({ pageParam, signal }) =>
      api.runs.list(
        pageParam === undefined ? { ...filter, take: RUN_PAGE_SIZE } : { next: pageParam },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
    refetchOnWindowFocus: false,
  });

/** The newest runs again and again; the list lays them over its pages. */
export const newestRunsQuery = (api: TraconClient, filter: RunListQuery) =>
  queryOptions({
    queryKey: ["runs", "newest", filter],
    queryFn: async ({ signal }) =>
      (await api.runs.list({ ...filter, take: RUN_PAGE_SIZE }, { signal })).items,
    refetchInterval: LIST_REFRESH_MS,
  });

export const modelsQuery = (api: TraconClient) =>
  queryOptions({
    queryKey: ["models"],
    queryFn: ({ signal }) => api.models.list({ signal }),
  });

export const toolsQuery = (api: TraconClient) =>
  queryOptions({
    queryKey: ["tools"],
    queryFn: ({ signal }) => api.tools.list({ signal }),
  });

export const extensionsQuery = (api: TraconClient) =>
  queryOptions({
    queryKey: ["extensions"],
    queryFn: ({ signal }) => api.extensions.list({ signal }),
  });

export const loopCriteriaQuery = (api: TraconClient) =>
  queryOptions({
    queryKey: ["loop-criteria"],
    queryFn: ({ signal }) => api.loopCriteria.list({ signal }),
  });

/** The size of what a saved agent's run would send, for its values and its culture. */
export const estimateQuery = (api: TraconClient, name: string, request: AgentRunRequest) =>
  queryOptions({
    queryKey: ["agents", name, "estimate", request],
    queryFn: ({ signal }) => api.agents.estimate(name, request, { signal }),
  });

/** Approvals the mailbox reads at once; the badge counts no further. */
const APPROVAL_PAGE_SIZE = 200;

export type WaitingApprovals = {
  readonly items: readonly PendingApproval[];
  /** More wait than are here. */
  readonly hasMore: boolean;
};

/** What waits for a decision, again and again: the mailbox and the badge of the rail. */
export const pendingApprovalsQuery = (api: TraconClient) =>
  queryOptions({
    queryKey: ["approvals", "pending"],
    queryFn: async ({ signal }): Promise<WaitingApprovals> => {
      const { items, next } = await api.approvals.pending({ take: APPROVAL_PAGE_SIZE }, { signal });
      return { items, hasMore: next !== undefined };
    },
    refetchInterval: LIST_REFRESH_MS,
  });

/** `7`, or `200+` when there are more than were read. */
export const waitingCount = ({ items, hasMore }: WaitingApprovals): string =>
  `${items.length}${hasMore ? "+" : ""}`;

/** One approval in whatever state it is. */
export const approvalQuery = (api: TraconClient, id: string) =>
  queryOptions({
    queryKey: ["approvals", "one", id],
    queryFn: ({ signal }) => api.approvals.get(id, { signal }),
  });

/** More rules are nothing a person looks through. */
const RULE_PAGE_SIZE = 200;

export const approvalRulesQuery = (api: TraconClient) =>
  queryOptions({
    queryKey: ["approvals", "rules"],
    queryFn: async ({ signal }) =>
      (await api.approvals.rules.list({ take: RULE_PAGE_SIZE }, { signal })).items,
  });

/** Sessions a page of the list holds. */
export const SESSION_PAGE_SIZE = 50;

export const sessionPagesQuery = (api: TraconClient, filter: SessionListQuery) =>
  infiniteQueryOptions({
    queryKey: ["sessions", "pages", filter],
    queryFn: ({ pageParam, signal }) =>
      api.sessions.list(
        pageParam === undefined ? { ...filter, take: SESSION_PAGE_SIZE } : { next: pageParam },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
  });

/** Sessions the playground offers to go on with. */
const RECENT_SESSIONS = 10;

export const recentSessionsQuery = (api: TraconClient, agentName: string) =>
  queryOptions({
    queryKey: ["sessions", "recent", agentName],
    queryFn: async ({ signal }) =>
      (await api.sessions.list({ agentName, take: RECENT_SESSIONS }, { signal })).items,
  });

export const sessionQuery = (api: TraconClient, sessionId: string) =>
  queryOptions({
    queryKey: ["sessions", "one", sessionId],
    queryFn: ({ signal }) => api.sessions.get(sessionId, { signal }),
  });
