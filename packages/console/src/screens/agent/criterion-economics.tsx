import type { CriterionStatistics } from "@tracon/core";
import { FigureRow } from "../../design/figure-row.tsx";
import { formatCosts, formatCount, formatShare } from "../../design/format.ts";
import { Meter } from "../../design/meter.tsx";

/** Fewer evaluations say nothing about whether a criterion is of use. */
const TELLING_EVALUATIONS = 10;

/** One criterion: how often it was asked, how often that mattered, and what it took. */
export const CriterionEconomics = ({ row }: { readonly row: CriterionStatistics }) => (
  <li className="flex flex-col gap-1 rounded-md border border-hairline bg-surface py-2">
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4">
      <span className="font-medium">
        {row.position === undefined ? "" : `${row.position + 1}. `}
        <span className="font-mono text-sm">{row.kind}</span>
      </span>
      <span className="ml-auto inline-flex items-center gap-2 tabular-nums">
        <span className="w-24 sm:w-40">
          <Meter used={row.decisive} max={row.evaluations} isShare />
        </span>
        {outcomeText(row)}
      </span>
    </p>
    <FigureRow
      figures={[
        ["Runs", formatCount(row.runs)],
        ["Evaluations", formatCount(row.evaluations)],
        ["Continued", formatCount(row.continued)],
        ["Satisfied", formatCount(row.stopped)],
        ["Failed", row.failed === 0 ? undefined : formatCount(row.failed)],
        ["Judge calls", row.judgeCalls === 0 ? undefined : formatCount(row.judgeCalls)],
        ["Tokens", tokensText(row)],
        ["Cost", costText(row)],
        ["Reviews", row.reviewerRuns === 0 ? undefined : formatCount(row.reviewerRuns)],
      ]}
    />
    <Advice row={row} />
  </li>
);

function outcomeText({ decisive, decisiveRate }: CriterionStatistics): string {
  const share = decisiveRate === undefined ? "" : ` (${formatShare(decisiveRate)})`;
  return `changed the outcome ${formatCount(decisive)} ${decisive === 1 ? "time" : "times"}${share}`;
}

function tokensText({ inputTokens, outputTokens }: CriterionStatistics): string | undefined {
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  return formatCount((inputTokens ?? 0) + (outputTokens ?? 0));
}

/** A criterion that asks no model costs nothing; that one of a judge is not known is said. */
const costText = ({ judgeCalls, costs, unpricedCalls }: CriterionStatistics): string | undefined =>
  judgeCalls === 0 ? undefined : formatCosts(costs, { count: unpricedCalls, of: "call" });

function Advice({ row }: { readonly row: CriterionStatistics }) {
  const { decisive, evaluations, reviewerRuns } = row;
  const isIdle = decisive === 0 && evaluations >= TELLING_EVALUATIONS;
  if (!isIdle && reviewerRuns === 0) return null;
  return (
    <p className="px-4 text-muted text-sm">
      {isIdle
        ? "It was satisfied each time: without it every run would have ended as it did. "
        : ""}
      {reviewerRuns === 0
        ? ""
        : "The tokens and the cost of its reviews are those of the reviewer's own runs."}
    </p>
  );
}
