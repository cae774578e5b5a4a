import type { RunRecord } from "@tracon/core";
import { Empty } from "../../design/state-view.tsx";
import { Tabs } from "../../design/tabs.tsx";
import { EventTable } from "./event-table.tsx";
import type { RunSearch, RunView } from "./run-route.ts";
import type { ApprovalsById } from "./timeline-rows.ts";
import { TimelineView } from "./timeline-view.tsx";
import { TraceView } from "./trace-view.tsx";
import { TreeView } from "./tree/tree-view.tsx";
import type { RunTreeState } from "./tree/use-run-tree.ts";
import type { RunEventsState } from "./use-run-events.ts";

/** What a run did, seen in four ways; the address says in which. */
export function RunTabs(props: {
  readonly run: RunRecord;
  readonly state: RunEventsState;
  readonly approvals: ApprovalsById;
  readonly tree: RunTreeState;
  readonly search: RunSearch;
  readonly onSearch: (search: RunSearch) => void;
}) {
  const { run, state, tree, onSearch } = props;
  const { view = "timeline", at, as = "graph" } = props.search;
  const shown = { selected: at, onSelect: (key: string) => onSearch({ ...props.search, at: key }) };
  const tabs = [
    {
      value: "timeline" as const,
      label: "Timeline",
      content: () => (
        <TimelineView
          run={run}
          timeline={state.timeline}
          related={{ approvals: props.approvals, tree: tree.runs }}
          {...shown}
        />
      ),
    },
    {
      value: "tree" as const,
      label: tree.runs.size === 0 ? "Tree" : `Tree ${tree.runs.size}`,
      content: () =>
        tree.isTree ? (
          <TreeView
            run={run}
            tree={tree}
            form={as}
            onForm={(form) => onSearch({ ...props.search, as: form })}
            {...shown}
          />
        ) : (
          <NoTree />
        ),
    },
    {
      value: "trace" as const,
      label: "Trace",
      content: () => <TraceView run={run} {...shown} />,
    },
    {
      value: "events" as const,
      label: `Events ${state.events.length}`,
      content: () => <EventTable events={state.events} {...shown} />,
    },
  ];
  return (
    <Tabs<RunView>
      label="Views of the run"
      value={view}
      onChange={(next) => onSearch({ view: next })}
      tabs={tabs}
    />
  );
}

const NoTree = () => (
  <Empty
    title="It called no other agent"
    text="A run whose agent calls others, or whose loop asks a reviewer, has a tree: each of them runs below it and is shown here as it begins and ends."
  />
);
