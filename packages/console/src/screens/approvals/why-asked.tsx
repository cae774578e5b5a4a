import { useQuery } from "@tanstack/react-query";
import type { TraconClient } from "@tracon/client";
import type { PendingApproval } from "@tracon/core";
import { runInputQuery } from "../../app/queries.ts";
import { useServices } from "../../app/services.tsx";

/** Events read from the end of the stopped run; the answer that asked for the call is among them. */
const TAIL_LENGTH = 40;

/** What the run was asked, and what the agent said when it wanted the call. */
export function WhyAsked({ approval }: { readonly approval: PendingApproval }) {
  const { api } = useServices();
  const input = useQuery({ ...runInputQuery(api, approval.runId), retry: false });
  const said = useQuery({ ...lastWordsQuery(api, approval.runId), retry: false });
  const asked = lastQuestion(input.data?.messages ?? []);
  if (input.isPending || said.isPending) return <p className="text-muted">Loading…</p>;
  if (asked === "" && (said.data ?? "") === "") {
    return <p className="text-muted">Nothing is recorded of what was asked. The run has more.</p>;
  }
  return (
    <dl className="flex flex-col gap-3">
      {asked === "" ? null : (
        <div>
          <dt className="text-muted text-sm">Asked</dt>
          <dd className="whitespace-pre-wrap [overflow-wrap:anywhere]">{asked}</dd>
        </div>
      )}
      {said.data === undefined || said.data === "" ? null : (
        <div>
          <dt className="text-muted text-sm">The agent said</dt>
          {/* As it was written: a card that opens fast is worth more than its layout. */}
          <dd className="whitespace-pre-wrap [overflow-wrap:anywhere]">{said.data}</dd>
        </div>
      )}
    </dl>
  );
}

type Messages = NonNullable<Awaited<ReturnType<TraconClient["runs"]["input"]>>>["messages"];

const lastQuestion = (messages: Messages): string =>
  messages
    .findLast(({ role }) => role === "user")
    ?.contents.flatMap((it) => (it.$type === "text" ? [it.text] : []))
    .join("\n") ?? "";

/** A stopped run writes no more, so its last words are read once. */
const lastWordsQuery = (api: TraconClient, runId: string) => ({
  queryKey: ["runs", runId, "last-words"],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
    const { eventCount } = await api.runs.get(runId, { signal });
    const tail = await api.runs.eventPage(
      runId,
      { after: eventCount - 1 - TAIL_LENGTH, take: TAIL_LENGTH },
      { signal },
    );
    return tail.findLast((event) => event.type === "MessageCompleted")?.text ?? "";
  },
});
