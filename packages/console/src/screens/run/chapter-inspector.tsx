import { CodeBlock } from "../../design/code-block.tsx";
import { Facts, Section } from "../../design/facts.tsx";
import { Fold } from "../../design/fold.tsx";
import { formatDurationMs, prettyJson } from "../../design/format.ts";
import { Markdown } from "../../design/markdown.tsx";
import type { Chapter, ChildCall, ModelCall, ToolCall, Waiting } from "./chapter.ts";
import { DecisionInspector, JudgeInspector, WarningInspector } from "./loop-inspectors.tsx";
import { usageFacts } from "./usage-facts.ts";

/** One chapter of a run in full. */
export function ChapterInspector(props: {
  readonly chapter: Exclude<Chapter, Waiting | ChildCall>;
}) {
  const { chapter } = props;
  switch (chapter.kind) {
    case "model":
      return <ModelInspector call={chapter} />;
    case "tool":
      return <ToolInspector call={chapter} />;
    case "decision":
      return <DecisionInspector decision={chapter} />;
    case "judge":
      return <JudgeInspector judged={chapter} />;
    case "warning":
      return <WarningInspector warning={chapter} />;
    case "moment":
      return (
        <>
          <p>{chapter.title}</p>
          <CodeBlock label="payload" text={JSON.stringify(chapter.payload, null, 2)} />
        </>
      );
  }
}

/** An agent built by a factory may not say which model answered. */
const modelText = ({ modelProvider, modelId }: NonNullable<ModelCall["completed"]>): string =>
  [modelProvider, modelId].filter((part) => part !== undefined).join(" / ") || "unknown";

function ModelInspector({ call }: { readonly call: ModelCall }) {
  const { completed } = call;
  return (
    <>
      <Facts
        facts={[
          ["Place", `iteration ${call.iteration}, call ${call.step + 1}`],
          ["Model", completed && modelText(completed)],
          ["Duration", durationOf(call)],
          ["First part", completed?.firstPartMs && formatDurationMs(completed.firstPartMs)],
          ["Ended by", completed?.finishReason],
          ["Tool calls", completed?.toolCallCount],
          ...usageFacts(completed?.usage),
        ]}
      />
      {call.reasoning === "" ? null : (
        <Fold summary="Reasoning">
          <p className="whitespace-pre-wrap text-muted [overflow-wrap:anywhere]">
            {call.reasoning}
          </p>
        </Fold>
      )}
      <Section title="Answer">
        {call.text === "" ? (
          <p className="text-muted">{emptyAnswer(call)}</p>
        ) : (
          <Markdown text={call.text} />
        )}
      </Section>
      {completed?.rawUsage === undefined ? null : (
        <Fold summary="Usage as the provider sent it">
          <CodeBlock label="raw usage" text={JSON.stringify(completed.rawUsage, null, 2)} />
        </Fold>
      )}
    </>
  );
}

function emptyAnswer({ completed }: ModelCall): string {
  if (completed === undefined) return "Nothing has arrived yet.";
  return completed.toolCallCount > 0 ? "No text, only tool calls." : "The model answered no text.";
}

function ToolInspector({ call }: { readonly call: ToolCall }) {
  return (
    <>
      <Facts
        facts={[
          [
            "Tool",
            <span key="tool" className="font-mono">
              {call.toolName}
            </span>,
          ],
          ["Place", `iteration ${call.iteration}, call ${call.step + 1}`],
          ["Duration", durationOf(call)],
          ["Failed as", call.errorKind],
          [
            "Call id",
            <span key="call" className="font-mono text-sm">
              {call.callId}
            </span>,
          ],
          ["Left out", call.omittedBytes > 0 ? `${call.omittedBytes} bytes of the result` : ""],
        ]}
      />
      <Section title="Arguments">
        <CodeBlock label="arguments" text={prettyJson(call.arguments ?? "not recorded")} />
      </Section>
      <Section title={call.error === undefined ? "Result" : "What the model read"}>
        <CodeBlock label="result" text={prettyJson(outcomeOf(call))} isTall />
      </Section>
    </>
  );
}

function outcomeOf(call: ToolCall): string {
  if (call.isHeld) return "Not run: a person decides first.";
  const pending = call.endedMs === undefined ? "The tool has not answered yet." : "not recorded";
  return call.error ?? call.result ?? pending;
}

const durationOf = (call: ModelCall | ToolCall): string =>
  call.endedMs === undefined ? "still going on" : formatDurationMs(call.endedMs - call.startedMs);
