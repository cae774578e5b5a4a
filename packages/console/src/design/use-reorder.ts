import { type KeyboardEvent, type PointerEvent, type RefObject, useRef, useState } from "react";

/** A row that is being dragged, and where it would land. */
type Drag = { readonly from: number; readonly to: number };

export type Reorder = {
  /** Goes to the list; its rows carry `data-row-item`, their handles `data-handle`. */
  readonly list: RefObject<HTMLOListElement | null>;
  readonly drag: Drag | undefined;
  /** What is to be read out of the last move. */
  readonly said: string;
  readonly move: (from: number, to: number) => void;
  /** Goes to the handle of a row: drag it, or use the arrow keys, Home and End. */
  readonly handle: (index: number) => HandleProps;
};

type HandleProps = {
  readonly "data-handle": true;
  readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerUp: () => void;
  readonly onPointerCancel: () => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
};

/** Rows that can be brought into another order by pointer, touch and keys. The order is the caller's. */
export function useReorder(options: {
  readonly count: number;
  /** How a row is called when its move is read out. */
  readonly nameOf: (index: number) => string;
  readonly onMove: (from: number, to: number) => void;
}): Reorder {
  const { count, nameOf, onMove } = options;
  const list = useRef<HTMLOListElement>(null);
  const [drag, setDrag] = useState<Drag>();
  const [said, setSaid] = useState("");

  const move = (from: number, to: number) => {
    const place = Math.min(Math.max(to, 0), count - 1);
    if (place === from) return;
    setSaid(`${nameOf(from)} moved to place ${place + 1} of ${count}`);
    onMove(from, place);
    requestAnimationFrame(() => rowsOf(list.current)[place]?.querySelector(HANDLE)?.focus());
  };
  const drop = () => {
    if (drag !== undefined) move(drag.from, drag.to);
    setDrag(undefined);
  };

  return {
    list,
    drag,
    said,
    move,
    handle: (index) => ({
      "data-handle": true,
      onPointerDown: (event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setDrag({ from: index, to: index });
      },
      onPointerMove: (event) => {
        if (drag === undefined) return;
        const rows = rowsOf(list.current);
        const to = placeAt(event.clientY, rows, drag.from);
        rows[to]?.scrollIntoView({ block: "nearest" });
        setDrag({ from: drag.from, to });
      },
      onPointerUp: drop,
      onPointerCancel: () => setDrag(undefined),
      onKeyDown: (event) => {
        if (event.key === "Escape") setDrag(undefined);
        const to = placeOfKey(event.key, index, count);
        if (to === undefined) return;
        event.preventDefault();
        move(index, to);
      },
    }),
  };
}

const HANDLE = "[data-handle]" as "button";

const rowsOf = (list: HTMLElement | null): readonly HTMLElement[] => [
  ...(list?.querySelectorAll<HTMLElement>(":scope > [data-row-item]") ?? []),
];

/** Where a row dropped at `y` would stand among the others. */
function placeAt(y: number, rows: readonly HTMLElement[], from: number): number {
  const others = rows.filter((_, index) => index !== from);
  return others.filter((row) => {
    const { top, height } = row.getBoundingClientRect();
    return top + height / 2 < y;
  }).length;
}

function placeOfKey(key: string, index: number, count: number): number | undefined {
  switch (key) {
    case "ArrowUp":
      return index - 1;
    case "ArrowDown":
      return index + 1;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return undefined;
  }
}
