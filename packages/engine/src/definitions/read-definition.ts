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
  const smaller = leftOut.reduce(without, request);
  const again = parse(smaller);
  if (again.success) return unreadable(findings, again.data, leftOut);

  const members = pathsOf(again.error).map(([member]) => [member].filter(isDefined));
  const rest = members.reduce(replaced, smaller);
  const last = parse(rest);
  return unreadable(findings, last.success ? last.data : undefined, [...leftOut, ...members]);
}

const parse = (request: unknown) =>
  agentDefinitionRequestSchema.safeParse(request, { reportInput: true });

function unreadable(
  findings: readonly Finding[],
  rest: AgentDefinitionContent | undefined,
  leftOut: readonly Path[],
): ReadDefinition {
  const places = leftOut.map(findingPath);
  const isLeftOut = (path: string): boolean =>
    places.some((it) => path === it || path.startsWith(`${it}.`) || path.startsWith(`${it}[`));
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

function without(value: unknown, [key, ...deeper]: Path): unknown {
  if (key === undefined || !isMembers(value)) return value;
  const { [key]: member, ...others } = value;
  const isWhole = deeper.length === 0 || !isMembers(member);
  return isWhole ? others : { ...others, [key]: without(member, deeper) };
}

function replaced(value: unknown, [key]: Path): unknown {
  if (key === undefined || !isMembers(value)) return value;
  const { [key]: _, ...others } = value;
  return Object.hasOwn(STAND_INS, key) ? { ...others, [key]: STAND_INS[key] } : others;
}

const isMembers = (value: unknown): value is Members =>
  value !== null && typeof value === "object" && !Array.isArray(value);

const isDefined = (key: PropertyKey | undefined): key is PropertyKey => key !== undefined;
