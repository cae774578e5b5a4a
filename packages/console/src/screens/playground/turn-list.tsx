import { ApprovalPrompt, type InlineDecision } from "./approval-prompt.tsx";
import { TurnView } from "./turn-view.tsx";
import type { PlaygroundTalk } from "./use-playground-talk.ts";

/** What was said since the page was opened, and the decision it waits for. */
export const TurnList = (props: {
  readonly talk: PlaygroundTalk;
  readonly onDecide: (decisions: readonly InlineDecision[], text: string) => void;
}) => {
  const { turns, waiting } = props.talk;
  return (
    <>
      {turns.map((turn, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: turns only grow at the end
        <TurnView key={index} turn={turn} />
      ))}
      {waiting.length === 0 ? null : (
        <ApprovalPrompt
          key={waiting.map(({ requestId }) => requestId).join(" ")}
          approvals={waiting}
          onDecide={(decisions) => props.onDecide(decisions, textOf(decisions, waiting))}
        />
      )}
    </>
  );
};

/** `Approved refund, declined send_mail`. */
function textOf(decisions: readonly InlineDecision[], waiting: PlaygroundTalk["waiting"]): string {
  const words = decisions.map(({ requestId, approved }) => {
    const toolName = waiting.find((it) => it.requestId === requestId)?.toolName ?? "";
    return `${approved ? "approved" : "declined"} ${toolName}`;
  });
  const text = words.join(", ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
