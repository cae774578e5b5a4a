import { Link } from "@tanstack/react-router";
import type { RunStatistics } from "@tracon/core";
import type { ReactNode } from "react";
import { classNames } from "../../design/class-names.ts";
import { formatCount, formatMoney, UNKNOWN } from "../../design/format.ts";
import type { HomeWindow } from "./home-route.ts";

/** The rest is told by its sum. */
const MOST_SHOWN = 5;

/** Who spends it: models with what they cost, agents with what they used. */
export const CostShares = (props: {
  readonly since: HomeWindow;
  readonly statistics: RunStatistics;
}) => {
  const { byModel, byAgent } = props.statistics;
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <ShareTable title="By model" columns={["Runs", "Tokens", "Cost"]}>
        {byModel.toSorted(byCost).map((model) => (
          <ShareRow
            key={`${model.modelProvider} ${model.modelId}`}
            name={model.isOther ? "others" : model.modelId}
            figures={[
              formatCount(model.totalRuns),
              tokensText(model.totalTokens),
              model.totalCost === undefined
                ? UNKNOWN
                : formatMoney(model.totalCost, model.currency ?? "USD"),
            ]}
          />
        ))}
      </ShareTable>
      <ShareTable title="By agent" columns={["Runs", "Failed", "Tokens"]}>
        {byAgent.toSorted(byTokens).map((agent) => (
          <ShareRow
            key={agent.agentName}
            name={
              agent.isOther ? (
                "others"
              ) : (
                <Link
                  to="/runs"
                  search={{ since: props.since, agent: agent.agentName }}
                  className="text-accent underline"
                >
                  {agent.agentName}
                </Link>
              )
            }
            figures={[
              formatCount(agent.totalRuns),
              formatCount(agent.failedRuns),
              tokensText(agent.totalTokens),
            ]}
          />
        ))}
      </ShareTable>
    </div>
  );
};

const FIGURE_CELL = "w-21 py-1 pl-3 text-right tabular-nums";

const ShareTable = (props: {
  readonly title: string;
  readonly columns: readonly string[];
  readonly children: readonly ReactNode[];
}) =>
  props.children.length === 0 ? null : (
    <table className="w-full table-fixed">
      <thead>
        <tr className="text-left text-muted text-sm">
          <th scope="col" className="font-normal">
            {props.title}
          </th>
          {props.columns.map((column) => (
            <th key={column} scope="col" className={classNames(FIGURE_CELL, "font-normal")}>
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{props.children.slice(0, MOST_SHOWN)}</tbody>
    </table>
  );

const ShareRow = (props: {
  readonly name: ReactNode;
  readonly figures: readonly [string, string, string];
}) => (
  <tr className="[&>td]:border-hairline [&>td]:border-t">
    <td className="truncate py-1">{props.name}</td>
    {props.figures.map((figure, index) => (
      <td
        // biome-ignore lint/suspicious/noArrayIndexKey: the columns stay
        key={index}
        className={classNames(FIGURE_CELL, figure === UNKNOWN && "text-faint")}
      >
        {figure}
      </td>
    ))}
  </tr>
);

const tokensText = (tokens: number | undefined): string =>
  tokens === undefined ? UNKNOWN : formatCount(tokens);

type Tokens = { readonly totalTokens?: number | undefined };
type Cost = { readonly totalCost?: number | undefined };

const byTokens = (a: Tokens, b: Tokens): number => (b.totalTokens ?? 0) - (a.totalTokens ?? 0);
const byCost = (a: Tokens & Cost, b: Tokens & Cost): number =>
  (b.totalCost ?? 0) - (a.totalCost ?? 0) || byTokens(a, b);
