import { Link } from "@tanstack/react-router";
import {
  CircleCheck,
  CircleX,
  Hourglass,
  LoaderCircle,
  type LucideIcon,
  ShieldCheck,
  Wrench,
} from "lucide-react";
import { memo } from "react";
import { failureOf, remedyOfCode } from "../../app/remedy.ts";
import { classNames } from "../../design/class-names.ts";
import { CodeBlock } from "../../design/code-block.tsx";
import { Fold } from "../../design/fold.tsx";
import { formatCost, formatTokens, prettyJson } from "../../design/format.ts";
import { Markdown } from "../../design/markdown.tsx";
import { StatusMark, type Tone, toneText } from "../../design/status.tsx";
import type { Part, ToolPart, Turn } from "./turn.ts";

/** A question and its answer as it comes. */
export const TurnView = memo(({ turn }: { readonly turn: Turn }) => (
  <article
    aria-label={turn.kind === "question" ? `You asked: ${turn.message}` : turn.message}
    className="flex flex-col gap-3"
  >
    <TurnHead turn={turn} />
    <div aria-busy={turn.state === "running"} className="flex flex-col gap-2">
      {turn.parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts only grow at the end
        <PartView key={index} part={part} />
      ))}
      <TurnProblem turn={turn} />
      <TurnFoot turn={turn} />
    </div>
  </article>
));

const TurnHead = ({ turn }: { readonly turn: Turn }) =>
  turn.kind === "decision" ? (
    <h2 className="inline-flex items-center gap-1.5 text-muted text-sm">
      <ShieldCheck aria-hidden className="size-3.5" />
      {turn.message}
    </h2>
  ) : (
    <>
      <h2 className="sr-only">Question</h2>
      <p className="ml-auto max-w-[85%] whitespace-pre-wrap rounded-md bg-accent-soft px-3 py-1.5 [overflow-wrap:anywhere]">
        {turn.message}
      </p>
    </>
  );

function PartView({ part }: { readonly part: Part }) {
  switch (part.kind) {
    case "text":
      return <Markdown text={part.text} />;
    case "reasoning":
      return (
        <Fold summary={<span className="text-muted">Reasoning</span>}>
          <p className="whitespace-pre-wrap text-muted [overflow-wrap:anywhere]">{part.text}</p>
        </Fold>
      );
    case "iteration":
      return (
        <p className="flex items-center gap-2 text-muted text-sm before:h-px before:flex-1 before:bg-hairline after:h-px after:flex-1 after:bg-hairline">
          Iteration {part.number}
        </p>
      );
    case "tool":
      return <ToolCard part={part} />;
  }
}

const outcomes: Readonly<
  Record<ToolPart["outcome"], readonly [word: string, tone: Tone, icon: LucideIcon]>
> = {
  open: ["Running", "running", LoaderCircle],
  answered: ["Answered", "good", CircleCheck],
  failed: ["Failed", "failed", CircleX],
  waiting: ["Waits for a decision", "waiting", Hourglass],
};

function ToolCard({ part }: { readonly part: ToolPart }) {
  const [word, tone, Icon] = outcomes[part.outcome];
  return (
    <Fold
      summary={
        <>
          <Wrench aria-hidden className="size-3.5 shrink-0 text-faint" />
          <span className="truncate font-mono text-sm">{part.toolName}</span>
          <span className={classNames("ml-auto inline-flex items-center gap-1", toneText[tone])}>
            <Icon
              aria-hidden
              className={classNames("size-3.5", part.outcome === "open" && "animate-turn")}
            />
            {word}
          </span>
        </>
      }
    >
      <CodeBlock label="arguments" text={prettyJson(part.arguments ?? "not given")} />
      {part.result === undefined ? null : (
        <CodeBlock
          label={part.outcome === "failed" ? "error" : "result"}
          text={prettyJson(part.result)}
        />
      )}
    </Fold>
  );
}

function TurnProblem({ turn }: { readonly turn: Turn }) {
  if (turn.state !== "failed") return null;
  const { title, detail, remedy } = describe(turn);
  return (
    <div role="alert" className="flex flex-col gap-1 rounded-md border border-failed/60 p-3">
      <p className="inline-flex items-center gap-1.5 font-medium text-failed">
        <CircleX aria-hidden className="size-4" />
        {title}
      </p>
      <p className="[overflow-wrap:anywhere]">{detail}</p>
      <p className="text-muted">{remedy}</p>
    </div>
  );
}

function describe({ problem, error }: Turn) {
  if (problem === undefined) return failureOf(error);
  return {
    title: problem.title,
    detail: problem.detail,
    remedy: remedyOfCode(problem.code),
  };
}

function TurnFoot({ turn }: { readonly turn: Turn }) {
  const { result } = turn;
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-muted text-sm tabular-nums">
      <TurnState turn={turn} />
      {result === undefined ? null : (
        <>
          <span>{formatTokens(result.usage)} tokens</span>
          <span>cost {formatCost(result.cost)}</span>
          <span>{result.modelId}</span>
        </>
      )}
      {turn.runId === undefined ? null : (
        <Link to="/runs/$runId" params={{ runId: turn.runId }} className="text-accent underline">
          Open run
        </Link>
      )}
    </p>
  );
}

function TurnState({ turn }: { readonly turn: Turn }) {
  switch (turn.state) {
    case "running":
      return <StatusMark status="Running" />;
    case "stopped":
      return <StatusMark status="Canceled" />;
    case "failed":
      return <StatusMark status="Failed" />;
    case "completed":
      return <StatusMark status={turn.result?.status ?? "Completed"} />;
  }
}
