import { CircleCheck, CircleDashed, GitBranch, Wrench } from "lucide-react";
import { IconButton } from "../../design/button.tsx";
import { CodeBlock } from "../../design/code-block.tsx";
import { Fold } from "../../design/fold.tsx";
import { prettyJson } from "../../design/format.ts";
import { Markdown } from "../../design/markdown.tsx";
import { Mark } from "../../design/status.tsx";
import type { ConversationCall, ConversationEntry } from "./conversation.ts";

/** A conversation read back. With `onBranch`, each turn of it can be the end of a new one. */
export const ConversationView = (props: {
  readonly entries: readonly ConversationEntry[];
  readonly onBranch?: (entry: ConversationEntry) => void;
}) => (
  <ol aria-label="Conversation" className="flex flex-col gap-4">
    {props.entries.map((entry) => (
      <EntryView key={entry.sequence} entry={entry} onBranch={props.onBranch} />
    ))}
  </ol>
);

function EntryView(props: {
  readonly entry: ConversationEntry;
  readonly onBranch: ((entry: ConversationEntry) => void) | undefined;
}) {
  const { entry, onBranch } = props;
  return (
    <li className="group/entry flex gap-2">
      <div className="flex min-w-0 flex-1 flex-col gap-2">
        {entry.role === "user" ? (
          <p className="ml-auto max-w-[85%] whitespace-pre-wrap rounded-md bg-accent-soft px-3 py-1.5 [overflow-wrap:anywhere]">
            <span className="sr-only">You: </span>
            {entry.text}
          </p>
        ) : (
          <Answer entry={entry} />
        )}
      </div>
      {onBranch === undefined ? null : (
        <span className="shrink-0 opacity-60 focus-within:opacity-100 group-hover/entry:opacity-100">
          <IconButton
            icon={GitBranch}
            label={`Branch after message ${entry.sequence + 1}`}
            onClick={() => onBranch(entry)}
          />
        </span>
      )}
    </li>
  );
}

const Answer = ({ entry }: { readonly entry: ConversationEntry }) => (
  <>
    {entry.role === "assistant" ? (
      <span className="sr-only">Agent:</span>
    ) : (
      <p className="text-faint text-sm">{entry.role}</p>
    )}
    {entry.reasoning === "" ? null : (
      <Fold summary={<span className="text-muted">Reasoning</span>}>
        <p className="whitespace-pre-wrap text-muted [overflow-wrap:anywhere]">{entry.reasoning}</p>
      </Fold>
    )}
    {entry.text === "" ? null : <Markdown text={entry.text} />}
    {entry.calls.map((call, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a call id may repeat, its place does not
      <CallView key={index} call={call} />
    ))}
  </>
);

const CallView = ({ call }: { readonly call: ConversationCall }) => (
  <Fold
    summary={
      <>
        <Wrench aria-hidden className="size-3.5 shrink-0 text-faint" />
        <span className="truncate font-mono text-sm">{call.toolName}</span>
        <span className="ml-auto shrink-0">
          {call.result === undefined ? (
            <Mark word="Not answered" tone="waiting" icon={CircleDashed} />
          ) : (
            <Mark word="Answered" tone="idle" icon={CircleCheck} />
          )}
        </span>
      </>
    }
  >
    <CodeBlock label="arguments" text={prettyJson(call.arguments)} />
    {call.result === undefined ? null : <CodeBlock label="result" text={prettyJson(call.result)} />}
  </Fold>
);
