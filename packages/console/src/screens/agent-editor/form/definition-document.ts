/**
 * The document of the editor: one definition, edited as a form and as text at the same time.
 *
 * A form edit changes one place of the document and nothing else, so members the form does not know
 * survive. Text that cannot be read stays as it was typed and is a finding until it can be.
 */

import type { EditorFinding } from "../editor-finding.ts";
import {
  isJsonObject,
  type JsonObject,
  type Path,
  parsePath,
  pathText,
  readAt,
  sameJson,
  writeAt,
} from "./json-path.ts";

export type DefinitionDocument = {
  /** What it started as; edits that return to it leave no trace. */
  readonly baseline: JsonObject;
  /** The last definition that could be read. */
  readonly content: JsonObject;
  /** The whole as text, as the user formatted it. */
  readonly text: string;
  /** Why the text is no definition. */
  readonly problem: string | undefined;
  /** What was typed into members edited as JSON, by path. */
  readonly drafts: Readonly<Record<string, string>>;
};

export const textOf = (content: unknown): string => JSON.stringify(content, null, 2);

export const openDocument = (content: JsonObject): DefinitionDocument => ({
  baseline: content,
  content,
  text: textOf(content),
  problem: undefined,
  drafts: {},
});

/** Writes a member. Emptying one that was not there before removes it again. */
export const editMember = (document: DefinitionDocument, path: Path, value: unknown) =>
  putMember(document, path, settled(value, { path, before: readAt(document.baseline, path) }));

/** Writes a member exactly as it is given; `undefined` removes it. */
export function putMember(
  document: DefinitionDocument,
  path: Path,
  value: unknown,
): DefinitionDocument {
  const content = writeAt(document.content, path, value) as JsonObject;
  return { ...document, content, text: textOf(content) };
}

/**
 * Writes a member of settings that have no switch of their own: the objects that were made for it go
 * with the last of their members.
 */
export function editSparsely(
  document: DefinitionDocument,
  path: Path,
  value: unknown,
): DefinitionDocument {
  const after = editMember(document, path, value);
  const owner = path.slice(0, -1);
  const members = readAt(after.content, owner);
  const isLeft = isJsonObject(members) && Object.keys(members).length === 0;
  if (owner.length === 0 || !isLeft || readAt(document.baseline, owner) !== undefined) return after;
  return editSparsely(after, owner, undefined);
}

function settled(value: unknown, at: { readonly path: Path; readonly before: unknown }): unknown {
  // An item of a list stays where it is, also while it is empty.
  if (typeof at.path.at(-1) === "number") return value;
  if (value === "") return at.before === "" ? "" : undefined;
  const isOff = value === false || (Array.isArray(value) && value.length === 0);
  return isOff && at.before === undefined ? undefined : value;
}

/** Reads the text of the whole. */
export function editText(document: DefinitionDocument, text: string): DefinitionDocument {
  const read = readJson(text);
  const isDefinition = "value" in read && isJsonObject(read.value);
  if (!isDefinition) {
    const problem = "problem" in read ? read.problem : "a definition is a JSON object";
    return { ...document, text, problem };
  }
  const content = read.value;
  const drafts = Object.entries(document.drafts).filter(([path]) =>
    sameJson(readAt(document.content, parsePath(path)), readAt(content, parsePath(path))),
  );
  return { ...document, text, content, problem: undefined, drafts: Object.fromEntries(drafts) };
}

/** Reads what was typed into a member that is edited as JSON. */
export function editDraft(
  document: DefinitionDocument,
  path: Path,
  text: string,
): DefinitionDocument {
  const drafts = { ...document.drafts, [pathText(path)]: text };
  const read = readDraft(text);
  const next = "value" in read ? putMember(document, path, read.value) : document;
  return { ...next, drafts };
}

/** The text of a member edited as JSON: as it was typed, while that is what the document holds. */
export function draftOf(document: DefinitionDocument, path: Path): string {
  const value = readAt(document.content, path);
  const draft = document.drafts[pathText(path)];
  if (draft !== undefined) {
    const read = readDraft(draft);
    if ("problem" in read || sameJson(read.value, value)) return draft;
  }
  return value === undefined ? "" : textOf(value);
}

/** Everything typed that is no JSON. While there is any, the document is not what the user means. */
export function unreadable(document: DefinitionDocument): readonly EditorFinding[] {
  const drafts = Object.entries(document.drafts).flatMap(([path, text]) => {
    const read = readDraft(text);
    return "problem" in read ? [notJson(path, read.problem)] : [];
  });
  return document.problem === undefined ? drafts : [notJson("", document.problem), ...drafts];
}

export const isChanged = ({ baseline, content }: DefinitionDocument): boolean =>
  !sameJson(baseline, content);

const notJson = (path: string, message: string): EditorFinding => ({
  code: "body_unreadable",
  path,
  message,
  severity: "Error",
});

type ReadJson = { readonly value: unknown } | { readonly problem: string };

/** Nothing typed means no member. */
const readDraft = (text: string): ReadJson =>
  text.trim() === "" ? { value: undefined } : readJson(text);

function readJson(text: string): ReadJson {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    // The parser's words name the place; they are the most helpful ones there are.
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
