import type { RefObject } from "react";
import { usePageKeys } from "../shell/keys.ts";

/**
 * `j` and `k` move the focus from row to row of a list whose rows carry `data-row` and hold a link
 * or a button; Enter is then the platform's. `reveal` brings a row that is not drawn into view.
 */
export function useRowKeys(
  list: RefObject<HTMLElement | null>,
  count: number,
  reveal?: (row: number) => void,
): void {
  usePageKeys((key, event) => {
    const step = key === "j" ? 1 : key === "k" ? -1 : 0;
    if (step === 0 || count === 0) return;
    event.preventDefault();
    const row = nextRow(list.current, step, count);
    reveal?.(row);
    // A row that was not drawn is there with the next frame.
    if (!focusRow(list.current, row)) requestAnimationFrame(() => focusRow(list.current, row));
  });
}

function focusRow(list: HTMLElement | null, row: number): boolean {
  const control = list?.querySelector<HTMLElement>(`[data-row="${row}"] :is(a, button)`);
  control?.focus();
  return control !== null && control !== undefined;
}

function nextRow(list: HTMLElement | null, step: number, count: number): number {
  const focused = document.activeElement?.closest<HTMLElement>("[data-row]");
  if (focused === null || focused === undefined || list?.contains(focused) !== true) return 0;
  return Math.min(Math.max(Number(focused.dataset.row) + step, 0), count - 1);
}
