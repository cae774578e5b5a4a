import { type RefObject, useLayoutEffect, useState } from "react";

/** The width of an element in pixels, as it changes; 0 until it is drawn. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const measured = element.current;
    if (measured === null) return;
    const observer = new ResizeObserver(() => setWidth(measured.clientWidth));
    observer.observe(measured);
    setWidth(measured.clientWidth);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
