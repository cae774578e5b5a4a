import { Link } from "@tanstack/react-router";
import { buttonClass } from "../../../design/button.tsx";
import { Facts } from "../../../design/facts.tsx";
import { formatCost, formatDurationMs } from "../../../design/format.ts";
import { StatusMark } from "../../../design/status.tsx";
import { useNow } from "../../../design/use-now.ts";
import { RunLink } from "../record-links.tsx";
import { usageFacts } from "../usage-facts.ts";
import type { TreeRun, TreeRuns } from "./run-tree.ts";

const TICK_MS = 250;

/** One run of a tree: who called it, how it goes, what it used. */
export function TreeRunInspector(props: {
  readonly run: TreeRun;
  readonly tree: TreeRuns;
  /** It is the run whose page this is. */
  readonly isOwn: boolean;
}) {
  const { run, tree } = props;
  const { record, parentRunId } = run;
  const nowMs = useNow(TICK_MS, run.endedMs !== undefined);
  const caller = parentRunId === undefined ? undefined : tree.get(parentRunId);
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-semibold [overflow-wrap:anywhere]">{run.agentName}</span>
        <StatusMark status={run.status} />
      </p>
      {run.timedOut === undefined ? null : <p className="text-failed">{WAITS[run.timedOut]}</p>}
      {record?.error === undefined ? null : (
        <p className="text-failed [overflow-wrap:anywhere]">{record.error.message}</p>
      )}
      {props.isOwn ? null : (
        <p>
          <Link to="/runs/$runId" params={{ runId: run.runId }} className={buttonClass("primary")}>
            Open this run
          </Link>
        </p>
      )}
      <Facts
        facts={[
          [
            "Agent",
            <Link
              key="agent"
              to="/agents/$name"
              params={{ name: run.agentName }}
              className="text-accent underline"
            >
              {run.agentName}
              {run.agentVersion === undefined ? "" : ` v${run.agentVersion}`}
            </Link>,
          ],
          [
            "Called by",
            parentRunId && (
              <>
                {caller === undefined ? "" : `${caller.agentName}, `}
                <RunLink runId={parentRunId} />
              </>
            ),
          ],
          ["Run", <RunLink key="run" runId={run.runId} />],
          ["Duration", formatDurationMs((run.endedMs ?? nowMs) - run.startedMs)],
          ...usageFacts(record?.usage),
          ["Cost", formatCost(record?.cost)],
        ]}
      />
    </>
  );
}

const WAITS: Readonly<Record<"deadline" | "cutoff", string>> = {
  deadline:
    "It ran past the deadline of its caller, was asked to stop, and did. The caller was told that it took too long.",
  cutoff:
    "It ran past the hard cutoff: its caller went on without it. It may still go on; what it answers is discarded, and what it uses is counted.",
};
