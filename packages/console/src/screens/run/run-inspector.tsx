import { useQuery } from "@tanstack/react-query";
import type { ChatMessage, RunRecord } from "@tracon/core";
import { runInputQuery } from "../../app/queries.ts";
import { failureOf } from "../../app/remedy.ts";
import { useServices } from "../../app/services.tsx";
import { type Fact, Facts, Section } from "../../design/facts.tsx";
import { Fold } from "../../design/fold.tsx";
import { formatMoney, UNKNOWN } from "../../design/format.ts";
import { Identifier } from "../../design/identifier.tsx";
import { Markdown } from "../../design/markdown.tsx";
import { RunLink, SessionLink } from "./record-links.tsx";
import { RunBudget } from "./run-budget.tsx";
import type { Timeline } from "./timeline.ts";
import { usageFacts } from "./usage-facts.ts";

/** The run as a whole: what it was asked, what it answered, what it used and cost. */
export const RunInspector = (props: { readonly run: RunRecord; readonly timeline: Timeline }) => (
  <>
    <Section title="Input">
      <Input runId={props.run.id} />
    </Section>
    <Section title="Answer">
      <Answer timeline={props.timeline} />
    </Section>
    <Section title="Usage">
      <Facts facts={[...usageFacts(props.run.usage), ...costFacts(props.run)]} />
    </Section>
    {props.run.budget === undefined ? null : <RunBudget budget={props.run.budget} />}
    <Section title="Record">
      <Facts facts={recordFacts(props.run)} />
    </Section>
  </>
);

function Input({ runId }: { readonly runId: string }) {
  const { api } = useServices();
  const { data, error } = useQuery(runInputQuery(api, runId));
  if (error !== null) return <p className="text-muted">{failureOf(error).detail}</p>;
  if (data === undefined) return <p className="text-muted">Loading…</p>;
  const values = Object.entries(data.parameters ?? {});
  return (
    <>
      <ol className="flex flex-col gap-2">
        {data.messages.map((message, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: messages are never reordered
          <li key={index}>
            <MessageView message={message} />
          </li>
        ))}
      </ol>
      {values.length === 0 ? null : (
        <Fold summary="Parameters">
          <Facts facts={values} />
        </Fold>
      )}
    </>
  );
}

function MessageView({ message }: { readonly message: ChatMessage }) {
  const text = messageText(message);
  if (message.role === "user")
    return <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</p>;
  return (
    <Fold summary={message.role}>
      <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</p>
    </Fold>
  );
}

const messageText = ({ contents }: ChatMessage): string =>
  contents
    .map((content) => ("text" in content ? content.text : JSON.stringify(content, null, 2)))
    .join("\n");

/** The text of the last model call, which is the run's output. */
function Answer({ timeline }: { readonly timeline: Timeline }) {
  const text = timeline.chapters.findLast((it) => it.kind === "model")?.text ?? "";
  return text === "" ? <p className="text-muted">No text.</p> : <Markdown text={text} />;
}

function costFacts({ usage, cost }: RunRecord): readonly Fact[] {
  if (cost === undefined || cost.source === "Unknown") {
    const reason =
      usage === undefined ? "no usage was reported" : "the model has no price in the configuration";
    return [["Cost", `${UNKNOWN}: ${reason}`]];
  }
  const money = (amount: number | undefined) =>
    amount === undefined ? UNKNOWN : formatMoney(amount, cost.currency ?? "USD");
  return [
    ["Input cost", money(cost.inputCost)],
    [
      "Cached input cost",
      cost.cachedInputCost === undefined ? undefined : money(cost.cachedInputCost),
    ],
    ["Output cost", money(cost.outputCost)],
    ["Total cost", money(cost.totalCost)],
    ["Prices from", cost.source],
  ];
}

function recordFacts(run: RunRecord): readonly Fact[] {
  return [
    ["Run", <Identifier key="run" id={run.id} label="run id" />],
    ["Session", run.sessionId && <SessionLink key="session" sessionId={run.sessionId} />],
    ["Continues", run.continuedFromRunId && <RunLink key="from" runId={run.continuedFromRunId} />],
    ["Culture", run.culture],
    ["User", run.userId],
    ["Streamed", run.isStreaming ? "yes" : "no"],
    ["Events", run.eventCount],
    ["Parent", run.parentRunId && <RunLink key="parent" runId={run.parentRunId} />],
    ["Replay of", run.replayOfRunId && <RunLink key="replay" runId={run.replayOfRunId} />],
    [
      "Lockfile",
      run.lockfileHash && <Identifier key="lock" id={run.lockfileHash} label="lockfile hash" />,
    ],
  ];
}
