import { Send, Square } from "lucide-react";
import { type KeyboardEvent, type SyntheticEvent, useRef, useState } from "react";
import { Button } from "../../design/button.tsx";
import { isCommand } from "../../shell/keys.ts";

const MAX_ROWS = 8;
const KEYS_HINT = "Enter sends, Shift Enter makes a new line.";

/** Where a message is written, sent, and its run stopped. */
export function Composer(props: {
  readonly isRunning: boolean;
  /** Why nothing can be sent now; empty when it can. */
  readonly obstacle: string;
  /** What sending means here, beside the keys. */
  readonly hint: string;
  readonly onSend: (message: string) => void;
  readonly onStop: () => void;
}) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [message, setMessage] = useState("");
  const canSend = !props.isRunning && props.obstacle === "" && message.trim() !== "";

  const send = () => {
    if (!canSend) return;
    props.onSend(message);
    setMessage("");
    area.current?.focus();
  };
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault();
    send();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const sends = isCommand(event, "enter") || (event.key === "Enter" && !event.shiftKey);
    if (!sends || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };

  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-1">
      <div className="flex items-end gap-2 rounded-md border border-edge bg-surface p-1.5 focus-within:outline-2 focus-within:outline-accent">
        <textarea
          ref={area}
          aria-label="Message"
          placeholder="Message"
          rows={Math.min(message.split("\n").length, MAX_ROWS)}
          value={message}
          onChange={(event) => setMessage(event.target.value)}
          onKeyDown={onKeyDown}
          className="min-w-0 flex-1 resize-none bg-transparent px-1.5 py-1 outline-none placeholder:text-faint"
        />
        {props.isRunning ? (
          <Button icon={Square} onClick={props.onStop}>
            Stop
          </Button>
        ) : (
          <Button type="submit" tone="primary" icon={Send} disabled={!canSend}>
            Send
          </Button>
        )}
      </div>
      <p className="min-h-5 text-faint text-sm">
        {props.obstacle === "" ? `${KEYS_HINT} ${props.hint}` : props.obstacle}
      </p>
    </form>
  );
}
