/**
 * Reads a definition a user wrote. Of one that cannot be read, what is left without the members that
 * are wrong goes on to the compiler, so that everything that is wrong is said at once.
 */

import {
  type AgentDefinitionContent,
  agentDefinitionRequestSchema,
  type Finding,
  findingPath,
  findingsOf,
} from "@tracon/core";
import type * as z from "zod";

export type ReadDefinition =
  | { readonly content: AgentDefinitionContent }
  | {
      readonly content: undefined;
      readonly findings: readonly Finding[];
      /** What could be read; `undefined` when nothing could. */
      readonly rest: AgentDefinitionContent | undefined;
      /** Whether the rest says nothing of a path: what stands there was left out of it. */
      isLeftOut(path: string): boolean;
    };

type Path = readonly PropertyKey[];
type Members = Readonly<Record<PropertyKey, unknown>>;

/** Stand in for members that a definition cannot do without. */
export const STAND_INS: Readonly<Record<PropertyKey, unknown>> = {
  name: "unreadable definition",
  model: { provider: "unreadable", model: "unreadable" },
};

export function readDefinition(request: unknown): ReadDefinition {
  const read = parse(request);
  if (read.success) return { content: read.data };
  const findings = findingsOf(read.error);
  const leftOut = pathsOf(read.error).map(upToList);
  const smaller = without(request, placesOf(leftOut));
  const again = parse(smaller);
  if (again.success) return unreadable(findings, again.data, leftOut);

  const members = pathsOf(again.error).map(([member]) => [member].filter(isDefined));
  const last = parse(withStandIns(without(smaller, placesOf(members)), members));
  return unreadable(findings, last.success ? last.data : undefined, [...leftOut, ...members]);
}

const parse = (request: unknown) =>
  agentDefinitionRequestSchema.safeParse(request, { reportInput: true });

function unreadable(
  findings: readonly Finding[],
  rest: AgentDefinitionContent | undefined,
  leftOut: readonly Path[],
): ReadDefinition {
  const places = new Set(leftOut.map(findingPath));
  const lengths = [...new Set([...places].map(({ length }) => length))];
  const isLeftOut = (path: string): boolean =>
    places.has(path) ||
    lengths.some((length) => isBorder(path[length]) && places.has(path.slice(0, length)));
  return { content: undefined, findings, rest, isLeftOut };
}

/** Where the problems are; a member that does not exist is one of its own. */
const pathsOf = (error: z.ZodError): readonly Path[] =>
  error.issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => [...issue.path, key])
      : [issue.path],
  );

/** A list is left out whole: without one of its items the others would have other numbers. */
function upToList(path: Path): Path {
  const index = path.findIndex((key) => typeof key === "number");
  return index === -1 ? path : path.slice(0, index);
}

/** The members that are left out, in the form of the value they are members of. */
type Places = Map<PropertyKey, Places | "whole">;

/** As many members may be wrong as a request can hold, so all are taken out at once. */
function placesOf(paths: readonly Path[]): Places {
  const places: Places = new Map();
  for (const path of paths) {
    let at = places;
    for (const [depth, key] of path.entries()) {
      const known = at.get(key);
      if (known === "whole") break;
      if (depth === path.length - 1) at.set(key, "whole");
      else at = known ?? within(at, key);
    }
  }
  return places;
}

function within(places: Places, key: PropertyKey): Places {
  const deeper: Places = new Map();
  places.set(key, deeper);
  return deeper;
}

function without(value: unknown, places: Places): unknown {
  if (!isMembers(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => {
      const place = places.get(key);
      if (place === undefined) return [[key, member]];
      return place === "whole" || !isMembers(member) ? [] : [[key, without(member, place)]];
    }),
  );
}

/** Where a path goes on to what is inside of a member. */
const isBorder = (character: string | undefined): boolean => character === "." || character === "[";

function withStandIns(value: unknown, members: readonly Path[]): unknown {
  if (!isMembers(value)) return value;
  const standing = members.flatMap(([key]) =>
    key !== undefined && Object.hasOwn(STAND_INS, key) ? [[key, STAND_INS[key]] as const] : [],
  );
  return { ...value, ...Object.fromEntries(standing) };
}

const isMembers = (value: unknown): value is Members =>
  value !== null && typeof value === "object" && !Array.isArray(value);

const isDefined = (key: PropertyKey | undefined): key is PropertyKey => key !== undefined;
