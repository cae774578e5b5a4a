import type { PendingApproval } from "@tracon/core";
import type { RefObject } from "react";
import { usePageKeys } from "../../shell/keys.ts";

/** The mailbox by keyboard: what is shown moves with `j` and `k`, and the focus with it. */
export function useMailKeys(props: {
  readonly pending: readonly PendingApproval[];
  readonly list: RefObject<HTMLElement | null>;
  readonly shown: PendingApproval | undefined;
  readonly onShow: (id: string | undefined) => void;
  readonly onToggle: () => void;
  readonly onAsk: (approve: boolean) => void;
}): void {
  const { pending, shown, onShow } = props;
  const step = (by: number) => {
    const at = shown === undefined ? -1 : pending.indexOf(shown);
    const index = Math.min(Math.max(at + by, 0), pending.length - 1);
    const next = pending[index];
    if (next === undefined) return;
    onShow(next.id);
    // A row that was not drawn is there with the next frame.
    requestAnimationFrame(() =>
      props.list.current
        ?.querySelector<HTMLElement>(`[data-row="${index}"] a`)
        ?.focus({ preventScroll: true }),
    );
  };
  usePageKeys((key, event) => {
    switch (key) {
      case "j":
        step(1);
        break;
      case "k":
        step(-1);
        break;
      case "x":
        props.onToggle();
        break;
      case "a":
      case "d":
        props.onAsk(key === "a");
        break;
      case "Escape":
        onShow(undefined);
        return;
      default:
        return;
    }
    event.preventDefault();
  });
}
