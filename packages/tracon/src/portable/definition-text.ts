/**
 * Definitions as text. JSON goes through `JSON`; YAML is the JSON part of YAML 1.2 only: no tags of
 * one's own, no keys that stand twice, a bounded number of aliases.
 */

import { Document, parseAllDocuments, Scalar, visit } from "yaml";

export const TEXT_FORMATS = ["json", "yaml"] as const;
export type TextFormat = (typeof TEXT_FORMATS)[number];

/** A file far larger than any definition is a mistake; it is not read. */
export const MAX_FILE_BYTES = 4_194_304;
/** Deeper nesting than any definition has; also what stops an alias that contains itself. */
const MAX_DEPTH = 64;
/** How many nodes aliases may add up to before it counts as an attack. */
const MAX_ALIAS_COUNT = 100;
/** From this length on a text stands in a block of its own, also when it is one line. */
const BLOCK_LENGTH = 80;
/** What a block text would not give back as it was: YAML makes one line break of each of these. */
const NOT_IN_A_BLOCK = /[^\n\t\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]|\u2028|\u2029/;
/** A block ends with one line break or none; more of them, and blanks at its end, get lost. */
const ENDS_BLANK = /[ \t]$|[ \t\n]\n$/;

/** One definition as the text of a file, with a line break at its end. */
export const textOfOne = (value: unknown, format: TextFormat): string =>
  format === "json" ? `${JSON.stringify(value, undefined, 2)}\n` : yamlText(value);

/** Several definitions as one text: a JSON array, or YAML documents. */
export const textOfMany = (values: readonly unknown[], format: TextFormat): string =>
  format === "json" ? textOfOne(values, format) : values.map(yamlText).join("---\n");

/** Everything a text holds: its one definition, the items of its list, or its documents. Throws when it cannot be read. */
export function readText(text: string, format: TextFormat): readonly unknown[] {
  const source = text.startsWith("\ufeff") ? text.slice(1) : text;
  const values = format === "json" ? [JSON.parse(source) as unknown] : readYaml(source);
  if (!values.every((value) => isJson(value, MAX_DEPTH))) {
    throw new Error(
      `it holds a value that JSON does not have, or is nested deeper than ${MAX_DEPTH}`,
    );
  }
  return values.flat();
}

function yamlText(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(key, node) {
      if (key !== "key" && typeof node.value === "string") node.type = styleOf(node.value);
    },
  });
  return document.toString({ lineWidth: 0, blockQuote: "literal" });
}

function styleOf(text: string): Scalar.Type {
  if (NOT_IN_A_BLOCK.test(text)) return Scalar.QUOTE_DOUBLE;
  if (!text.includes("\n") && text.length <= BLOCK_LENGTH) return Scalar.PLAIN;
  return ENDS_BLANK.test(text) ? Scalar.QUOTE_DOUBLE : Scalar.BLOCK_LITERAL;
}

function readYaml(source: string): readonly unknown[] {
  const documents = parseAllDocuments(source, {
    version: "1.2",
    schema: "core",
    resolveKnownTags: false,
    merge: false,
    uniqueKeys: true,
    stringKeys: true,
    logLevel: "error",
  });
  if (!Array.isArray(documents)) return [];
  return documents.map((document) => {
    // A tag nobody knows is only a warning to the parser; here it is no definition.
    const [problem] = [...document.errors, ...document.warnings];
    if (problem !== undefined) throw new Error(problem.message.split("\n")[0]);
    return document.toJS({ maxAliasCount: MAX_ALIAS_COUNT }) as unknown;
  });
}

function isJson(value: unknown, depth: number): boolean {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || depth === 0) return false;
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return members.every((member) => isJson(member, depth - 1));
}
