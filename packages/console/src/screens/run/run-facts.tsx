import { Link } from "@tanstack/react-router";
import type { RunRecord } from "@tracon/core";
import type { ReactNode } from "react";
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
import type { Timeline } from "./timeline.ts";

const TICK_MS = 250;

/** The figures of a run on one line. */
export function RunFacts({
  run,
  timeline,
}: {
  readonly run: RunRecord;
  readonly timeline: Timeline;
}) {
  const isOver = run.completedAt !== undefined;
  const nowMs = useNow(TICK_MS, isOver);
  const model = run.modelId ?? lastModel(timeline);
  return (
    <dl className="flex shrink-0 flex-wrap gap-x-6 gap-y-1 px-4 py-2">
      <Figure name="Duration">{formatDurationMs(runDurationMs(run, nowMs))}</Figure>
      <Figure name="Tokens">{formatTokens(run.usage)}</Figure>
      <Figure name="Cost">{formatCost(run.cost)}</Figure>
      <Figure name="Model">
        {model === undefined ? UNKNOWN : [run.modelProvider, model].filter(Boolean).join(" / ")}
      </Figure>
      <Figure name="Agent">
        <Link
          to="/agents/$name"
          params={{ name: run.agentName }}
          search={versionSearch(run)}
          className="text-accent underline"
        >
          {run.agentName}
          {run.agentVersion === undefined ? "" : ` v${run.agentVersion}`}
        </Link>
      </Figure>
      <Figure name="Started">
        <time dateTime={run.startedAt}>{formatInstant(run.startedAt)}</time>
      </Figure>
      <Figure name="Run">
        <Identifier id={run.id} label="run id" />
      </Figure>
    </dl>
  );
}

const Figure = (props: { readonly name: string; readonly children: ReactNode }) => (
  <div className="flex items-baseline gap-1.5">
    <dt className="text-muted text-sm">{props.name}</dt>
    <dd className="tabular-nums">{props.children}</dd>
  </div>
);

/** The version that ran, beside the one that would run now. */
const versionSearch = ({ agentVersion }: RunRecord): AgentSearch => ({
  view: "versions",
  ...(agentVersion === undefined ? {} : { left: agentVersion }),
});

/** While a run goes on its record does not know yet which model answers. */
const lastModel = ({ chapters }: Timeline): string | undefined =>
  chapters.flatMap((it) => (it.kind === "model" ? (it.completed?.modelId ?? []) : [])).at(-1);
