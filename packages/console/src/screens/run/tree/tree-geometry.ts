/** The places of a tree in pixels. */

import type { TreePlace } from "./tree-layout.ts";

export type Box = {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
};

export type NodeSizes = {
  /** One under the other, for want of room. */
  readonly isOutline: boolean;
  readonly width: number;
  readonly height: number;
  readonly columnPx: number;
  readonly rowPx: number;
};

/** Below this width a drawing of columns would mostly be scrolled. */
const NARROW_PX = 640;
const MARGIN_PX = 16;
const HEIGHT_PX = 52;
const NODE_PX = 248;
const GAP_PX = { column: 40, row: 12 };
const INDENT_PX = 20;
/** Indented further, a node still has room for its words. */
const NARROWEST_NODE_PX = 200;

export function sizesFor(width: number): NodeSizes {
  const isOutline = width < NARROW_PX;
  return {
    isOutline,
    width: isOutline ? Math.max(width - 2 * MARGIN_PX, NARROWEST_NODE_PX) : NODE_PX,
    height: HEIGHT_PX,
    columnPx: isOutline ? INDENT_PX : NODE_PX + GAP_PX.column,
    rowPx: HEIGHT_PX + GAP_PX.row,
  };
}

export function nodeBox({ column, row }: TreePlace, sizes: NodeSizes): Box {
  const left = column * sizes.columnPx;
  return {
    left,
    top: row * sizes.rowPx,
    width: sizes.isOutline ? Math.max(sizes.width - left, NARROWEST_NODE_PX) : sizes.width,
    height: sizes.height,
  };
}

/** From a caller to what it called: a curve between columns, an elbow in an outline. */
export function edgePath(from: Box, to: Box, { isOutline }: NodeSizes): string {
  const end = { x: to.left, y: to.top + to.height / 2 };
  if (isOutline) {
    const x = from.left + INDENT_PX / 2;
    return `M ${x} ${from.top + from.height} V ${end.y} H ${end.x}`;
  }
  const start = { x: from.left + from.width, y: from.top + from.height / 2 };
  const middle = (start.x + end.x) / 2;
  return `M ${start.x} ${start.y} C ${middle} ${start.y} ${middle} ${end.y} ${end.x} ${end.y}`;
}
