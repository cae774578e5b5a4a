import type { RunRecord } from "@tracon/core";
import { lazy, Suspense } from "react";
import { FigureRow } from "../../../design/figure-row.tsx";
import { Meter } from "../../../design/meter.tsx";
import { Segments } from "../../../design/segments.tsx";
import { FailureView, Loading } from "../../../design/state-view.tsx";
import { useNow } from "../../../design/use-now.ts";
import { type BudgetRow, budgetRows } from "../budget-rows.ts";
import { childKey } from "../child-chapters.ts";
import { treeCostText } from "./tree-cost-text.ts";
import { TreeTable } from "./tree-table.tsx";
import type { RunTreeState } from "./use-run-tree.ts";

const TICK_MS = 250;
/** Most runs the server answers at once. */
const MOST_RUNS = 200;

const TreeGraph = lazy(() => import("./tree-graph.tsx").then((it) => ({ default: it.TreeGraph })));

export type TreeForm = "graph" | "table";

/** The whole tree a run is part of, whichever run of it is looked at, live. */
export function TreeView(props: {
  readonly run: RunRecord;
  readonly tree: RunTreeState;
  readonly form: TreeForm;
  readonly onForm: (form: TreeForm) => void;
  readonly selected: string | undefined;
  readonly onSelect: (key: string) => void;
}) {
  const { run, tree } = props;
  const all = [...tree.runs.values()];
  const nowMs = useNow(TICK_MS, !all.some(({ endedMs }) => endedMs === undefined));
  if (all.length === 0) {
    return tree.error === null ? (
      <Loading what="tree" rows={4} />
    ) : (
      <FailureView error={tree.error} onRetry={tree.retry} />
    );
  }
  return (
    <>
      <div className="flex shrink-0 flex-wrap items-center gap-x-4 border-hairline border-b pr-4">
        <div className="min-w-0 flex-1 basis-80">
          <TreeFigures run={run} tree={tree} />
        </div>
        <div className="py-1 max-md:pl-4">
          <Segments
            label="Form of the tree"
            value={props.form}
            onPick={props.onForm}
            options={[
              { value: "graph", label: "Graph" },
              { value: "table", label: "Table" },
            ]}
          />
        </div>
      </div>
      {all.length < MOST_RUNS ? null : (
        <p className="shrink-0 px-4 py-1.5 text-muted">
          The oldest {MOST_RUNS} runs; a larger tree has more.
        </p>
      )}
      {props.form === "table" ? (
        <TreeTable runs={tree.runs} nowMs={nowMs} />
      ) : (
        <Suspense fallback={<Loading what="graph" rows={4} />}>
          <TreeGraph
            runs={tree.runs}
            ownRunId={run.id}
            nowMs={nowMs}
            selected={props.selected?.slice(childKey("").length)}
            onSelect={(runId) => props.onSelect(childKey(runId))}
          />
        </Suspense>
      )}
    </>
  );
}

/** What the tree is made of, what it used, and how much of what it may use that is. */
function TreeFigures({ run, tree }: { readonly run: RunRecord; readonly tree: RunTreeState }) {
  const all = [...tree.runs.values()];
  const running = all.filter(({ endedMs }) => endedMs === undefined).length;
  const spent = run.budget === undefined ? [] : budgetRows(run.budget);
  return (
    <FigureRow
      figures={[
        ["Runs", running === 0 ? all.length : `${all.length}, ${running} running`],
        ["Cost", treeCostText(run.treeCost)],
        ...spent
          .filter(({ name }) => name !== "Cost")
          .map((row) => [row.name, <Budget key={row.name} row={row} />] as const),
      ]}
    />
  );
}

const Budget = ({ row: { text, used, reserved, max } }: { readonly row: BudgetRow }) => (
  <span className="inline-flex flex-wrap items-center gap-x-2">
    {text}
    {max === undefined ? null : (
      <span className="w-24">
        <Meter used={used} reserved={reserved} max={max} />
      </span>
    )}
  </span>
);
