import type { RunRecord } from "@tracon/core";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "../../design/button.tsx";
import { classNames } from "../../design/class-names.ts";
import { CodeBlock } from "../../design/code-block.tsx";
import { Facts } from "../../design/facts.tsx";
import { formatInstant } from "../../design/format.ts";
import { ApprovalInspector } from "./approval-inspector.tsx";
import type { Chapter } from "./chapter.ts";
import { ChapterInspector } from "./chapter-inspector.tsx";
import { childKey } from "./child-chapters.ts";
import { eventKey } from "./event-table.tsx";
import { RunInspector } from "./run-inspector.tsx";
import type { RunView } from "./run-route.ts";
import { SpanInspector } from "./span-inspector.tsx";
import type { ApprovalsById } from "./timeline-rows.ts";
import type { TreeRuns } from "./tree/run-tree.ts";
import { TreeRunInspector } from "./tree/tree-run-inspector.tsx";
import type { RunEventsState } from "./use-run-events.ts";

/** What is selected, in full. Nothing selected shows the run itself, where there is room for it. */
export function Inspector(props: {
  readonly run: RunRecord;
  readonly state: RunEventsState;
  readonly approvals: ApprovalsById;
  readonly tree: TreeRuns;
  readonly view: RunView;
  readonly at: string | undefined;
  readonly onClose: () => void;
}) {
  const { title, content } = inspected(props);
  const isOpen = props.at !== undefined;
  return (
    <aside
      aria-label="Inspector"
      className={classNames(
        "flex-col border-hairline border-l bg-surface lg:static lg:w-[26rem] lg:shrink-0",
        // A tree needs the room, and says of each run what the inspector would of this one.
        props.view !== "tree" && "lg:flex",
        isOpen ? "fixed inset-x-0 top-11 bottom-0 z-20 flex md:left-auto md:w-[26rem]" : "hidden",
      )}
    >
      <div className="flex h-8 shrink-0 items-center justify-between border-hairline border-b pr-1 pl-4">
        <h2 className="truncate font-semibold">{title}</h2>
        {isOpen ? <IconButton icon={X} label="Close inspector" onClick={props.onClose} /> : null}
      </div>
      <section
        aria-label="Details"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
        className="flex flex-1 flex-col gap-4 overflow-auto p-4"
      >
        {content}
      </section>
    </aside>
  );
}

function inspected(props: {
  readonly run: RunRecord;
  readonly state: RunEventsState;
  readonly approvals: ApprovalsById;
  readonly tree: TreeRuns;
  readonly view: RunView;
  readonly at: string | undefined;
}): { readonly title: string; readonly content: ReactNode } {
  const { run, state, view, at } = props;
  if (view === "trace" && at !== undefined) {
    return {
      title: "Span",
      content: <SpanInspector rootRunId={run.rootRunId ?? run.id} spanId={at} />,
    };
  }
  const event = state.events.find((it) => eventKey(it.sequence) === at);
  if (event !== undefined) {
    return {
      title: `Event ${event.sequence}`,
      content: (
        <>
          <Facts
            facts={[
              ["Type", event.type],
              ["Recorded", formatInstant(event.timestamp)],
            ]}
          />
          <CodeBlock label="event" text={JSON.stringify(event, null, 2)} isTall />
        </>
      ),
    };
  }
  const chapter = state.timeline.chapters.find((it) => it.key === at);
  const below = [...props.tree.values()].find(({ runId }) => childKey(runId) === at);
  if (below !== undefined) {
    const isOwn = below.runId === run.id;
    return {
      title: "Run of the tree",
      content: <TreeRunInspector run={below} tree={props.tree} isOwn={isOwn} />,
    };
  }
  if (chapter?.kind === "approval") {
    const { request } = chapter;
    return {
      title: "Approval",
      content: (
        <ApprovalInspector request={request} approval={props.approvals.get(request.requestId)} />
      ),
    };
  }
  // What it is about stands in the tree, which is read a moment later.
  if (chapter !== undefined && chapter.kind !== "child") {
    return { title: chapterTitle(chapter.kind), content: <ChapterInspector chapter={chapter} /> };
  }
  return { title: "Run", content: <RunInspector run={run} timeline={state.timeline} /> };
}

type Titled = Exclude<Chapter["kind"], "child" | "approval">;

const chapterTitle = (kind: Titled): string =>
  ({
    model: "Model call",
    tool: "Tool call",
    judge: "Judge",
    decision: "Loop decision",
    warning: "Warning",
    moment: "Event",
  })[kind];
