/**
 * Reads a definition as Tracon for .NET wrote it: members in PascalCase or camelCase, and the
 * members that were renamed since under their old names. Only an import reads like that; the HTTP
 * API and `tracon apply` take what this version writes.
 */

import { DEFINITION_SHAPE, type Shape } from "./definition-shape.ts";

export type ImportNote = { readonly path: string; readonly message: string };

/** A value with the member names of this version, what was changed, and what cannot be. */
export type ImportedDefinition = {
  readonly value: unknown;
  readonly notes: readonly ImportNote[];
  readonly problems: readonly ImportNote[];
};

type Log = { readonly notes: ImportNote[]; readonly problems: ImportNote[] };
type JsonObject = Readonly<Record<string, unknown>>;

/** Members the store owns; they are not in the shape and go on as they are, to be ignored. */
const STORE_OWNED = ["origin", "version", "tenantId", "updatedAt"];

export function readImported(value: unknown): ImportedDefinition {
  const log: Log = { notes: [], problems: [] };
  if (!isObject(value)) return { value, ...log };
  const root = renamed(value, DEFINITION_SHAPE, { path: "", log }) as JsonObject;
  const current = withCallableAgents(root, log);
  return {
    value: isObject(current.model) ? withToolLoop(current, current.model, log) : current,
    ...log,
  };
}

type Place = { readonly path: string; readonly log: Log };

function renamed(value: unknown, shape: Shape, place: Place): unknown {
  if (shape.kind === "list" && Array.isArray(value)) {
    return value.map((item, index) =>
      renamed(item, shape.item, { ...place, path: `${place.path}[${index}]` }),
    );
  }
  if (shape.kind !== "object" || !isObject(value)) return value;

  const byLowerCase = new Map(shape.members.map((member) => [member.name.toLowerCase(), member]));
  const result = new Map<string, unknown>();
  for (const [key, member] of Object.entries(value)) {
    const known = byLowerCase.get(key.toLowerCase());
    const name = known?.name ?? oldName(key);
    const path = place.path === "" ? name : `${place.path}.${name}`;
    if (result.has(name))
      place.log.problems.push({ path, message: `is there twice, also as '${key}'` });
    else
      result.set(
        name,
        known === undefined ? member : renamed(member, known.shape, { ...place, path }),
      );
  }
  return Object.fromEntries(result);
}

const OLD_NAMES = new Map(
  [...STORE_OWNED, "callableAgentNames", "allowConcurrentToolCalls"].map((name) => [
    name.toLowerCase(),
    name,
  ]),
);

/** What no member is called keeps its spelling, so that its finding names what stands there. */
const oldName = (key: string): string => OLD_NAMES.get(key.toLowerCase()) ?? key;

function withCallableAgents(definition: JsonObject, log: Log): JsonObject {
  const { callableAgentNames: names, ...rest } = definition;
  if (names === undefined || names === null) return rest;
  const path = "callableAgentNames";
  if (hasItems(rest.callableAgents)) {
    log.problems.push({ path, message: "is the old form of 'callableAgents', which is there too" });
    return rest;
  }
  if (!Array.isArray(names) || !names.every((name) => typeof name === "string")) {
    log.problems.push({ path, message: "must be a list of names" });
    return rest;
  }
  log.notes.push({ path, message: "became 'callableAgents', each without a version" });
  return { ...rest, callableAgents: names.map((name) => ({ name })) };
}

const hasItems = (value: unknown): boolean => Array.isArray(value) && value.length > 0;

/** `model.allowConcurrentToolCalls` moved into the settings of the tool loop. */
function withToolLoop(definition: JsonObject, model: JsonObject, log: Log): JsonObject {
  const { allowConcurrentToolCalls: allowed, ...rest } = model;
  if (allowed === undefined || allowed === null) return { ...definition, model: rest };
  const path = "model.allowConcurrentToolCalls";
  const toolLoop = rest.toolLoop ?? {};
  if (!isObject(toolLoop) || (toolLoop.allowConcurrentToolCalls ?? allowed) !== allowed) {
    log.problems.push({
      path,
      message: "does not agree with 'model.toolLoop', which is there too",
    });
    return { ...definition, model: rest };
  }
  log.notes.push({ path, message: "became 'model.toolLoop.allowConcurrentToolCalls'" });
  const moved = { ...toolLoop, allowConcurrentToolCalls: allowed };
  return { ...definition, model: { ...rest, toolLoop: moved } };
}

const isObject = (value: unknown): value is JsonObject =>
  value !== null && typeof value === "object" && !Array.isArray(value);
