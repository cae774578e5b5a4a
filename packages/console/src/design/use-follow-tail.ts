import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";

/** This near to the end counts as being there. */
const NEAR_PX = 24;

/**
 * Keeps a scrolling element at its end while `change` goes on, until the reader scrolls away;
 * scrolling back to the end follows again.
 */
export function useFollowTail(
  element: RefObject<HTMLElement | null>,
  change: unknown,
  isOn = true,
): void {
  const follows = useRef(true);
  useEffect(() => {
    const scroller = element.current;
    if (scroller === null) return;
    const onScroll = () => {
      follows.current =
        scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_PX;
    };
    scroller.addEventListener("scroll", onScroll, { passive: true });
    return () => scroller.removeEventListener("scroll", onScroll);
  }, [element]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when what is shown has changed
  useLayoutEffect(() => {
    const scroller = element.current;
    if (isOn && follows.current && scroller !== null) scroller.scrollTop = scroller.scrollHeight;
  }, [change, element, isOn]);
}
