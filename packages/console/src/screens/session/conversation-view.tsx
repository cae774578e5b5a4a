import {
  CircleCheck,
  CircleDashed,
  CircleSlash,
  CircleX,
  GitBranch,
  type LucideIcon,
  Paperclip,
  Wrench,
} from "lucide-react";
import { IconButton } from "../../design/button.tsx";
import { CodeBlock } from "../../design/code-block.tsx";
import { Fold } from "../../design/fold.tsx";
import { prettyJson } from "../../design/format.ts";
import { Markdown } from "../../design/markdown.tsx";
import { Mark, type Tone } from "../../design/status.tsx";
import type { ConversationCall, ConversationEntry, ConversationFile } from "./conversation.ts";

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
        {entry.role === "user" ? <Question entry={entry} /> : <Answer entry={entry} />}
        {entry.files.map((file, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: files have no id, and their place stays
          <FileView key={index} file={file} />
        ))}
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

const Question = ({ entry }: { readonly entry: ConversationEntry }) =>
  entry.text === "" ? null : (
    <p className="ml-auto max-w-[85%] whitespace-pre-wrap rounded-md bg-accent-soft px-3 py-1.5 [overflow-wrap:anywhere]">
      <span className="sr-only">You: </span>
      {entry.text}
    </p>
  );

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

const outcomes: Readonly<
  Record<ConversationCall["outcome"], readonly [word: string, tone: Tone, icon: LucideIcon]>
> = {
  open: ["Not answered", "waiting", CircleDashed],
  answered: ["Answered", "idle", CircleCheck],
  failed: ["Failed", "failed", CircleX],
  denied: ["Declined", "failed", CircleSlash],
  byProvider: ["Run by the provider", "idle", CircleCheck],
};

const CallView = ({ call }: { readonly call: ConversationCall }) => {
  const [word, tone, icon] = outcomes[call.outcome];
  return (
    <Fold
      summary={
        <>
          <Wrench aria-hidden className="size-3.5 shrink-0 text-faint" />
          <span className="truncate font-mono text-sm">{call.toolName}</span>
          <span className="ml-auto shrink-0">
            <Mark word={word} tone={tone} icon={icon} />
          </span>
        </>
      }
    >
      <CodeBlock label="arguments" text={prettyJson(call.arguments)} />
      {call.result === undefined ? null : (
        <CodeBlock label="result" text={prettyJson(call.result)} />
      )}
    </Fold>
  );
};

const FileView = ({ file }: { readonly file: ConversationFile }) => (
  <figure className="flex flex-col gap-1">
    {file.picture === undefined ? null : (
      <img
        src={file.picture}
        alt={file.name}
        className="max-h-72 max-w-full self-start rounded-md border border-hairline"
      />
    )}
    <figcaption className="inline-flex items-center gap-1.5 text-muted text-sm">
      <Paperclip aria-hidden className="size-3.5" />
      {file.name}, {file.mediaType}
    </figcaption>
    {file.text === undefined ? null : (
      <Fold summary="What it says">
        <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{file.text}</p>
      </Fold>
    )}
  </figure>
);
