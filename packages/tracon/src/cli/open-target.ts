/** The installation a command about definitions works on: the configured storage, or a server. */

import { relative, resolve } from "node:path";
import { TraconError } from "@tracon/core";
import { createTracon } from "../create-tracon.ts";
import type { DefinitionTarget } from "../portable/definition-target.ts";
import { embeddedTarget } from "../portable/embedded-target.ts";
import { serverTarget } from "../portable/server-target.ts";
import { type CommandInput, configHelp, configOptions, type Terminal, textOf } from "./command.ts";
import { loadConfig } from "./load-config.ts";

export const targetOptions = { ...configOptions, url: { type: "string" } } as const;

export const targetHelp = [
  ...configHelp,
  "    --url URL       a running server instead, with its prefix; TRACON_TOKEN is its token",
];

export type CommandCall = { readonly input: CommandInput; readonly terminal: Terminal };

/**
 * Opens the installation, hands it to `use` and closes it again. A SQLite file is named as seen
 * from `folder`, so that its name is the same wherever the command is called.
 */
export async function withTarget<Result>(
  { input, terminal }: CommandCall,
  use: (target: DefinitionTarget) => Promise<Result>,
  folder: string = terminal.cwd,
): Promise<Result> {
  const target = await openTarget(input, terminal, resolve(terminal.cwd, folder));
  try {
    return await use(target);
  } finally {
    await target.close();
  }
}

async function openTarget(
  input: CommandInput,
  terminal: Terminal,
  folder: string,
): Promise<DefinitionTarget> {
  const url = textOf(input, "url");
  if (url === undefined) return openEmbedded(input, terminal, folder);
  if (textOf(input, "config") !== undefined || textOf(input, "storage") !== undefined) {
    throw invalid("--url names a server, which has its own configuration and storage");
  }
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? "")) {
    throw invalid(`'${url}' is not the address of a server; write http://host:port/tracon`);
  }
  const token = terminal.env.TRACON_TOKEN;
  return serverTarget(
    { baseUrl: url, ...(token === undefined ? {} : { token }) },
    terminal.interrupted,
  );
}

async function openEmbedded(
  input: CommandInput,
  terminal: Terminal,
  folder: string,
): Promise<DefinitionTarget> {
  const { config, env } = await loadConfig(input, terminal);
  const tracon = await createTracon(config, { env });
  const storage = env.DATABASE_URL || config.storage || "sqlite:.tracon/tracon.db";
  return embeddedTarget(tracon, storageName(storage, { cwd: terminal.cwd, folder }));
}

/** A storage as lock files know it: without credentials, and alike for all who share the file. */
export function storageName(
  storage: string,
  { cwd, folder }: { readonly cwd: string; readonly folder: string },
): string {
  if (storage.startsWith("sqlite:")) {
    const path = resolve(cwd, storage.slice("sqlite:".length));
    return `sqlite:${relative(folder, path).replaceAll("\\", "/")}`;
  }
  const url = URL.parse(storage);
  return url === null || url.host === "" ? storage : `postgres://${url.host}${url.pathname}`;
}

const invalid = (message: string) => new TraconError("configuration_invalid", message);
