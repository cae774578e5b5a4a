import { useEffect, useRef } from "react";

/** What each key does, as the keys dialog shows it. */
export const keyNames: readonly { readonly keys: readonly string[]; readonly does: string }[] = [
  { keys: ["Ctrl K", "⌘ K"], does: "Open the palette: go to, run an agent, find a run" },
  { keys: ["?"], does: "Show these keys" },
  { keys: ["["], does: "Collapse or widen the rail" },
  { keys: ["j", "k"], does: "Next and previous row of a list" },
  { keys: ["Enter"], does: "Open the row" },
  { keys: ["a", "d"], does: "Approve or decline what is shown or selected, after asking once" },
  { keys: ["x"], does: "Select what is shown, to decide many at once" },
  { keys: ["Esc"], does: "Close what is open and return" },
  {
    keys: ["Ctrl Enter", "⌘ Enter"],
    does: "Send the message in the playground, save in the editor",
  },
];

const EDITABLE = "input, textarea, select, [contenteditable]";

/** Whether a key belongs to a text that is being written, or to a dialog. */
const isTaken = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(`${EDITABLE}, dialog, [role="menu"]`) !== null;

/** Calls `onKey` for keys pressed outside of text fields and dialogs, without modifiers. */
export function usePageKeys(onKey: (key: string, event: KeyboardEvent) => void): void {
  const latest = useRef(onKey);
  useEffect(() => {
    latest.current = onKey;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (!isTaken(event.target)) latest.current(event.key, event);
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

/** Whether the event is Ctrl or Cmd with `key`. */
export const isCommand = (
  event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey">,
  key: string,
): boolean => (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === key;
