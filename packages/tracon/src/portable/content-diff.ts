/** What differs between two contents, member by member, in the order of the schema. */

import type { AgentDefinitionContent } from "@tracon/core";
import { DEFINITION_SHAPE, type Shape } from "./definition-shape.ts";
import { sameJson } from "./portable-content.ts";

/** One member that differs. `before` or `after` is absent when the member is not set there. */
export type Change = {
  /** As in findings: `model.fallbacks[0].model`. */
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
};

/** Every change from one content to another; with no `before`, what the new one sets. */
export function diffContents(
  before: AgentDefinitionContent,
  after: AgentDefinitionContent,
): readonly Change[] {
  return diffValues({ before, after, shape: DEFINITION_SHAPE, path: "" });
}

type Pair = {
  readonly before: unknown;
  readonly after: unknown;
  readonly shape: Shape;
  readonly path: string;
};

function diffValues(pair: Pair): readonly Change[] {
  const { before, after, shape, path } = pair;
  if (before === undefined && after === undefined) return [];
  if (before !== undefined && after !== undefined) {
    if (sameJson(before, after)) return [];
    const members = membersOf(before, after, shape);
    if (members !== undefined) return members.flatMap((member) => diffMember(pair, member));
  }
  return [
    {
      path,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    },
  ];
}

type Member = { readonly key: string | number; readonly shape: Shape };

/** The members to compare one by one; `undefined` when the two are compared as a whole. */
function membersOf(before: unknown, after: unknown, shape: Shape): readonly Member[] | undefined {
  if (shape.kind === "object") {
    return shape.members.map(({ name, shape: inner }) => ({ key: name, shape: inner }));
  }
  if (shape.kind === "list" && shape.item.kind === "object") {
    const length = Math.max(lengthOf(before), lengthOf(after));
    return Array.from({ length }, (_, index) => ({ key: index, shape: shape.item }));
  }
  if (isRecord(before) && isRecord(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].map((key) => ({ key, shape: { kind: "opaque" } }));
  }
  return undefined;
}

function diffMember({ before, after, path }: Pair, { key, shape }: Member): readonly Change[] {
  return diffValues({
    before: memberAt(before, key),
    after: memberAt(after, key),
    shape,
    path: typeof key === "number" ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`,
  });
}

const memberAt = (value: unknown, key: string | number): unknown =>
  Object.hasOwn(value as object, key)
    ? (value as Readonly<Record<string | number, unknown>>)[key]
    : undefined;

const lengthOf = (value: unknown): number => (value as readonly unknown[]).length;

const isRecord = (value: unknown): value is object =>
  value !== null && typeof value === "object" && !Array.isArray(value);
