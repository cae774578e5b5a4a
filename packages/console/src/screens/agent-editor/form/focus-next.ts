/** Where the focus goes when the control that had it has gone, or made something new. */

/** Focuses what `selector` finds inside of `container` once the change is drawn; the last with `isLast`. */
export function focusNext(
  container: Element | null | undefined,
  selector: string,
  isLast = false,
): void {
  requestAnimationFrame(() => {
    const found = [...(container?.querySelectorAll<HTMLElement>(selector) ?? [])];
    found.at(isLast ? -1 : 0)?.focus();
  });
}
