import { Link } from "@tanstack/react-router";
import type { RunStatistics } from "../../app/control-records.ts";
import { classNames } from "../../design/class-names.ts";
import { formatCount, formatMoney, UNKNOWN } from "../../design/format.ts";
import type { HomeWindow } from "./home-route.ts";

/** The rest is told by its sum. */
const MOST_SHOWN = 5;

type Share = {
  readonly name: string;
  readonly runs: number;
  readonly tokens: number | undefined;
  readonly cost: number | undefined;
  readonly isAgent: boolean;
};

/** Who spends it: agents, then models. */
export const CostShares = (props: {
  readonly since: HomeWindow;
  readonly statistics: RunStatistics;
  readonly currency: string;
}) => (
  <div className="flex min-w-0 flex-col gap-4">
    <ShareTable {...props} title="By agent" shares={agentShares(props.statistics)} />
    <ShareTable {...props} title="By model" shares={modelShares(props.statistics)} />
  </div>
);

const FIGURE_CELL = "w-20 py-1 pl-3 text-right tabular-nums";

const ShareTable = (props: {
  readonly since: HomeWindow;
  readonly currency: string;
  readonly title: string;
  readonly shares: readonly Share[];
}) =>
  props.shares.length === 0 ? null : (
    <table className="w-full table-fixed">
      <thead>
        <tr className="text-left text-muted text-sm">
          <th scope="col" className="font-normal">
            {props.title}
          </th>
          <th scope="col" className={classNames(FIGURE_CELL, "font-normal")}>
            Runs
          </th>
          <th scope="col" className={classNames(FIGURE_CELL, "font-normal")}>
            Tokens
          </th>
          <th scope="col" className={classNames(FIGURE_CELL, "font-normal")}>
            Cost
          </th>
        </tr>
      </thead>
      <tbody>
        {props.shares.slice(0, MOST_SHOWN).map((share) => (
          <tr key={share.name} className="[&>td]:border-hairline [&>td]:border-t">
            <td className="truncate py-1">
              {share.isAgent ? (
                <Link
                  to="/runs"
                  search={{ since: props.since, agent: share.name }}
                  className="text-accent underline"
                >
                  {share.name}
                </Link>
              ) : (
                share.name
              )}
            </td>
            <td className={FIGURE_CELL}>{formatCount(share.runs)}</td>
            <td className={FIGURE_CELL}>
              {share.tokens === undefined ? UNKNOWN : formatCount(share.tokens)}
            </td>
            <td className={classNames(FIGURE_CELL, share.cost === undefined && "text-faint")}>
              {share.cost === undefined ? UNKNOWN : formatMoney(share.cost, props.currency)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );

const agentShares = ({ byAgent }: RunStatistics): readonly Share[] =>
  byAgent
    .map(({ agentName, totalRuns, totalTokens, totalCost }) => ({
      name: agentName,
      runs: totalRuns,
      tokens: totalTokens,
      cost: totalCost,
      isAgent: true,
    }))
    .sort(byCost);

const modelShares = ({ byModel }: RunStatistics): readonly Share[] =>
  byModel
    .map(({ modelId, totalRuns, totalTokens, totalCost }) => ({
      name: modelId,
      runs: totalRuns,
      tokens: totalTokens,
      cost: totalCost,
      isAgent: false,
    }))
    .sort(byCost);

const byCost = (a: Share, b: Share): number =>
  (b.cost ?? 0) - (a.cost ?? 0) || (b.tokens ?? 0) - (a.tokens ?? 0);
