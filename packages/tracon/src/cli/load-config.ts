/** Finds and loads the configuration file. TypeScript files run as they are. */

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { finding, TraconError } from "@tracon/core";
import type { TraconConfig } from "../config/config.ts";
import { type CommandInput, type Terminal, textOf } from "./command.ts";

const CONFIG_NAMES = ["ts", "mts", "js", "mjs"].map((extension) => `tracon.config.${extension}`);

/** What a new user can put into the file. */
const STARTER = `import { defineConfig } from "tracon";

export default defineConfig({
  providers: { demo: { kind: "scripted", models: { hello: [{ text: "Hello!" }] } } },
  agents: [{ name: "hello", model: { provider: "demo", model: "hello" } }],
});`;

export type LoadedConfig = {
  readonly config: TraconConfig;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly path: string;
};

/** The configuration and the environment as the options decide. Throws `configuration_invalid`. */
export async function loadConfig(input: CommandInput, terminal: Terminal): Promise<LoadedConfig> {
  const path = configPath(textOf(input, "config"), terminal.cwd);
  const module = await importConfig(path);
  const exported: unknown = Reflect.get(module, "default");
  if (exported === null || typeof exported !== "object") {
    throw invalid(`'${path}' has no default export; write 'export default defineConfig({ … })'`);
  }
  const storage = textOf(input, "storage");
  // An option is said for this one call, so it wins over what the environment says for all.
  const env = storage === undefined ? terminal.env : { ...terminal.env, DATABASE_URL: storage };
  return { config: exported, env, path };
}

function configPath(given: string | undefined, cwd: string): string {
  if (given !== undefined) {
    const path = resolve(cwd, given);
    if (existsSync(path)) return path;
    throw invalid(`there is no configuration file '${path}'`);
  }
  const found = CONFIG_NAMES.map((name) => resolve(cwd, name)).find(existsSync);
  if (found !== undefined) return found;
  throw invalid(
    `there is no tracon.config.ts in ${cwd}; name one with --config, or begin with:\n\n${STARTER}`,
  );
}

async function importConfig(path: string): Promise<object> {
  try {
    return (await import(pathToFileURL(path).href)) as object;
  } catch (error) {
    throw new TraconError(
      "configuration_invalid",
      `'${path}' could not be loaded: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}

const invalid = (message: string) =>
  new TraconError("configuration_invalid", message, {
    findings: [finding("invalid_value", "config", message)],
  });
