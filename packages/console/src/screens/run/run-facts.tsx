import { Link } from "@tanstack/react-router";
import type { RunRecord } from "@tracon/core";
import { FigureRow } from "../../design/figure-row.tsx";
import {
  formatCost,
  formatDurationMs,
  formatInstant,
  formatTokens,
  UNKNOWN,
} from "../../design/format.ts";
import { Identifier } from "../../design/identifier.tsx";
import { useNow } from "../../design/use-now.ts";
import type { AgentSearch } from "../agent/agent-route.ts";
import { runDurationMs } from "../runs/run-duration.ts";
import { loopSummary } from "./loop-text.ts";
import { RunLink, SessionLink } from "./record-links.tsx";
import type { Timeline } from "./timeline.ts";
import type { TreeRuns } from "./tree/run-tree.ts";
import { treeCostText } from "./tree/tree-cost-text.ts";

const TICK_MS = 250;

/** The figures of a run on one line. */
export function RunFacts(props: {
  readonly run: RunRecord;
  readonly timeline: Timeline;
  readonly tree: TreeRuns;
}) {
  const { run, timeline, tree } = props;
  const isOver = run.completedAt !== undefined;
  const nowMs = useNow(TICK_MS, isOver);
  const model = run.modelId ?? lastModel(timeline);
  return (
    <FigureRow
      figures={[
        ["Duration", formatDurationMs(runDurationMs(run, nowMs))],
        ["Tokens", formatTokens(run.usage)],
        ["Cost", formatCost(run.cost)],
        [
          "Model",
          model === undefined ? UNKNOWN : [run.modelProvider, model].filter(Boolean).join(" / "),
        ],
        ["Loop", loopSummary(timeline)],
        ["Whole tree", treeText(run)],
        ["Called by", run.parentRunId && <Caller key="caller" run={run} tree={tree} />],
        ["Agent", <AgentLink key="agent" run={run} />],
        ["Session", run.sessionId && <SessionLink key="session" sessionId={run.sessionId} />],
        [
          "Continues",
          run.continuedFromRunId && <RunLink key="from" runId={run.continuedFromRunId} />,
        ],
        [
          "Started",
          <time key="started" dateTime={run.startedAt}>
            {formatInstant(run.startedAt)}
          </time>,
        ],
        ["Run", <Identifier key="run" id={run.id} label="run id" />],
      ]}
    />
  );
}

/** What all runs of the tree used, where the run is not all of it. */
function treeText(run: RunRecord): string | undefined {
  const isAlone = run.childRunCount === 0 && run.parentRunId === undefined;
  if (isAlone || run.treeUsage === undefined) return undefined;
  const cost = treeCostText(run.treeCost);
  return `${formatTokens(run.treeUsage)} tokens, ${cost === UNKNOWN ? "cost unknown" : cost}`;
}

const Caller = (props: { readonly run: RunRecord; readonly tree: TreeRuns }) => {
  const { parentRunId = "", rootRunId } = props.run;
  return (
    <span className="inline-flex flex-wrap gap-x-1.5">
      {props.tree.get(parentRunId)?.agentName}
      <RunLink runId={parentRunId} />
      {rootRunId === undefined || rootRunId === parentRunId ? null : (
        <>
          below <RunLink runId={rootRunId} />
        </>
      )}
    </span>
  );
};

const AgentLink = ({ run }: { readonly run: RunRecord }) => (
  <Link
    to="/agents/$name"
    params={{ name: run.agentName }}
    search={versionSearch(run)}
    className="text-accent underline"
  >
    {run.agentName}
    {run.agentVersion === undefined ? "" : ` v${run.agentVersion}`}
  </Link>
);

/** The version that ran, beside the one that would run now. */
const versionSearch = ({ agentVersion }: RunRecord): AgentSearch => ({
  view: "versions",
  ...(agentVersion === undefined ? {} : { left: agentVersion }),
});

/** While a run goes on its record does not know yet which model answers. */
const lastModel = ({ chapters }: Timeline): string | undefined =>
  chapters.flatMap((it) => (it.kind === "model" ? (it.completed?.modelId ?? []) : [])).at(-1);
