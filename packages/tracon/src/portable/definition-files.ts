/** Reading definitions from files and folders: everything that is wrong with them, all at once. */

import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join, resolve } from "node:path";
import {
  type AgentDefinitionContent,
  agentDefinitionRequestSchema,
  contentHash,
  findingsOf,
} from "@tracon/core";
import { MAX_FILE_BYTES, readText, type TextFormat } from "./definition-text.ts";
import { type ImportedDefinition, readImported } from "./imported-definition.ts";
import { LOCK_FILE } from "./lock-file.ts";
import { type FileFinding, type FileNote, pathBelow } from "./portable-finding.ts";

/** A definition that was read, and where it stands. */
export type FileDefinition = {
  readonly file: string;
  /** Its place in the file: empty, or its index when the file holds several. */
  readonly place: readonly PropertyKey[];
  readonly content: AgentDefinitionContent;
  readonly contentHash: string;
};

/** What stands where a definition should, and has findings. */
export type UnreadDefinition = Pick<FileDefinition, "file" | "place"> & {
  readonly value: Readonly<Record<string, unknown>>;
};

export type ReadDefinitions = {
  readonly definitions: readonly FileDefinition[];
  readonly unread: readonly UnreadDefinition[];
  readonly findings: readonly FileFinding[];
  readonly notes: readonly FileNote[];
};

export type ReadOptions = {
  readonly cwd: string;
  /** Also reads what Tracon for .NET wrote. Default false. */
  readonly isImport?: boolean;
};

const FORMAT_BY_EXTENSION: ReadonlyMap<string, TextFormat> = new Map([
  [".json", "json"],
  [".yaml", "yaml"],
  [".yml", "yaml"],
]);

/** The definitions in these files, and in the files directly inside these folders. */
export async function readDefinitions(
  paths: readonly string[],
  options: ReadOptions,
): Promise<ReadDefinitions> {
  const parts: ReadDefinitions[] = [];
  for (const path of paths) {
    const found = await filesAt(path, options.cwd);
    if ("problem" in found) parts.push(unreadable(path, found.problem));
    else for (const file of found.files) parts.push(await readDefinitionFile(file, options));
  }
  const definitions = parts.flatMap((part) => part.definitions);
  return {
    definitions,
    unread: parts.flatMap((part) => part.unread),
    findings: [...parts.flatMap((part) => part.findings), ...duplicates(definitions)],
    notes: parts.flatMap((part) => part.notes),
  };
}

/** The names of the definition files in a folder, in a stable order. Throws when it is no folder. */
export async function definitionFilesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory() && entry.name !== LOCK_FILE)
    .map(({ name }) => name)
    .filter((name) => !name.startsWith(".") && FORMAT_BY_EXTENSION.has(extname(name).toLowerCase()))
    .sort();
}

type Found = { readonly files: readonly string[] } | { readonly problem: string };

async function filesAt(path: string, cwd: string): Promise<Found> {
  const absolute = resolve(cwd, path);
  try {
    if (!(await stat(absolute)).isDirectory()) return { files: [path] };
    const names = await definitionFilesIn(absolute);
    return { files: names.map((name) => join(path, name)) };
  } catch (error) {
    return { problem: reasonOf(error) };
  }
}

/** Everything that stands in a file, unchecked. Throws when it cannot be read. */
export async function readValues(path: string): Promise<readonly unknown[]> {
  const format = FORMAT_BY_EXTENSION.get(extname(path).toLowerCase());
  if (format === undefined) throw new Error("it is not a .json, .yaml or .yml file");
  return readText(await readBounded(path), format);
}

async function readDefinitionFile(file: string, options: ReadOptions): Promise<ReadDefinitions> {
  let values: readonly unknown[];
  try {
    values = await readValues(resolve(options.cwd, file));
  } catch (error) {
    return unreadable(file, reasonOf(error));
  }
  if (values.length === 0) return unreadable(file, "it holds no definition");
  const parts = values.map((value, index) =>
    readValue(value, { file, place: placeOf(index, values), options }),
  );
  return {
    definitions: parts.flatMap((part) => part.definitions),
    unread: parts.flatMap((part) => part.unread),
    findings: parts.flatMap((part) => part.findings),
    notes: parts.flatMap((part) => part.notes),
  };
}

/** Where one of the values of a file stands in it. */
export const placeOf = (index: number, values: readonly unknown[]): readonly PropertyKey[] =>
  values.length === 1 ? [] : [index];

async function readBounded(path: string): Promise<string> {
  const { size } = await stat(path);
  if (size > MAX_FILE_BYTES) throw new Error(`it is larger than ${MAX_FILE_BYTES} bytes`);
  return new TextDecoder("utf-8", { fatal: true }).decode(await readFile(path));
}

type Source = {
  readonly file: string;
  readonly place: readonly PropertyKey[];
  readonly options: ReadOptions;
};

function readValue(value: unknown, { file, place, options }: Source): ReadDefinitions {
  const imported: ImportedDefinition = options.isImport
    ? readImported(value)
    : { value, notes: [], problems: [] };
  const at = (path: string) => ({ file, path: pathBelow(place, path) });
  const notes = imported.notes.map(({ path, message }) => ({ ...at(path), message }));
  const problems = imported.problems.map(
    ({ path, message }): FileFinding => ({
      ...at(path),
      code: "invalid_value",
      message,
      severity: "Error",
    }),
  );
  const read = agentDefinitionRequestSchema.safeParse(imported.value, { reportInput: true });
  const findings = read.success ? [] : findingsOf(read.error, place).map((it) => ({ ...it, file }));
  if (!read.success || problems.length > 0) {
    const unread = isMembers(imported.value) ? [{ file, place, value: imported.value }] : [];
    return { definitions: [], unread, findings: [...problems, ...findings], notes };
  }
  const { data: content } = read;
  const definition = { file, place, content, contentHash: contentHash(content) };
  return { definitions: [definition], unread: [], findings: [], notes };
}

const isMembers = (value: unknown): value is UnreadDefinition["value"] =>
  value !== null && typeof value === "object" && !Array.isArray(value);

/** A name may be defined once: two files would overwrite each other. */
function duplicates(definitions: readonly FileDefinition[]): readonly FileFinding[] {
  const first = new Map<string, FileDefinition>();
  return definitions.flatMap((definition) => {
    const { name } = definition.content;
    const other = first.get(name);
    if (other === undefined) {
      first.set(name, definition);
      return [];
    }
    const where = [other.file, pathBelow(other.place, "")].join("");
    return [
      {
        file: definition.file,
        path: pathBelow(definition.place, "name"),
        code: "duplicate_name",
        message: `'${name}' is defined in ${where} too`,
        severity: "Error" as const,
      },
    ];
  });
}

function unreadable(file: string, problem: string): ReadDefinitions {
  const message = `cannot be read: ${problem}`;
  const finding = { file, path: "", code: "body_unreadable", message, severity: "Error" } as const;
  return { definitions: [], unread: [], findings: [finding], notes: [] };
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
