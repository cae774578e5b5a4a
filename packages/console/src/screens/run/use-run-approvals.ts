import { useQueries } from "@tanstack/react-query";
import type { PendingApproval } from "@tracon/core";
import { approvalQuery, LIST_REFRESH_MS } from "../../app/queries.ts";
import { useServices } from "../../app/services.tsx";
import type { Timeline } from "./timeline.ts";
import type { ApprovalsById } from "./timeline-rows.ts";

/** What became of the calls a run stopped for: that is decided after its last event. */
export function useRunApprovals({ chapters }: Timeline): ApprovalsById {
  const { api } = useServices();
  const ids = chapters.flatMap((it) => (it.kind === "approval" ? [it.request.requestId] : []));
  return useQueries({
    queries: ids.map((id) => ({
      ...approvalQuery(api, id),
      refetchInterval: ({
        state,
      }: {
        readonly state: { readonly data?: PendingApproval | undefined };
      }) => (state.data?.status === "Pending" ? LIST_REFRESH_MS : (false as const)),
    })),
    combine: (results) =>
      new Map(
        results.flatMap(({ data }) => (data === undefined ? [] : [[data.id, data] as const])),
      ),
  });
}
