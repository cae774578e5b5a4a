/** Writes definitions into a folder, one file each. */

import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { AgentDefinition } from "@tracon/core";
import { type TextFormat, textOfOne } from "../portable/definition-text.ts";
import { fileNamesOf } from "../portable/file-name.ts";
import { contentOf, portableForm } from "../portable/portable-content.ts";

export type WrittenFile = {
  readonly name: string;
  readonly version: number;
  readonly file: string;
};

export type WriteOptions = {
  readonly cwd: string;
  readonly folder: string;
  readonly format: TextFormat;
};

/** The current definitions, as `FOLDER/agent.yaml`. */
export function writeCurrent(
  definitions: readonly AgentDefinition[],
  options: WriteOptions,
): Promise<readonly WrittenFile[]> {
  const names = fileNamesOf(
    definitions.map(({ name }) => name),
    options.format,
  );
  return writeAll(definitions, options, ({ name }) => names.get(name) ?? name);
}

/** Every version, as `FOLDER/agent/v3.yaml`, where an import of the folder does not look. */
export function writeVersions(
  definitions: readonly AgentDefinition[],
  options: WriteOptions,
): Promise<readonly WrittenFile[]> {
  const { format } = options;
  const names = fileNamesOf([...new Set(definitions.map(({ name }) => name))], format);
  return writeAll(definitions, options, ({ name, version }) => {
    const folder = (names.get(name) ?? name).slice(0, -`.${format}`.length);
    return join(folder, `v${version}.${format}`);
  });
}

async function writeAll(
  definitions: readonly AgentDefinition[],
  { cwd, folder, format }: WriteOptions,
  fileOf: (definition: AgentDefinition) => string,
): Promise<readonly WrittenFile[]> {
  await mkdir(resolve(cwd, folder), { recursive: true });
  const written: WrittenFile[] = [];
  for (const definition of definitions) {
    const file = join(folder, fileOf(definition));
    const path = resolve(cwd, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, textOfOne(portableForm(contentOf(definition)), format));
    written.push({ name: definition.name, version: definition.version, file });
  }
  return written;
}
