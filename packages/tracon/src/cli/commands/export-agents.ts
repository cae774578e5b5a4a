import type { AgentDefinition } from "@tracon/core";
import type { DefinitionTarget } from "../../portable/definition-target.ts";
import {
  TEXT_FORMATS,
  type TextFormat,
  textOfMany,
  textOfOne,
} from "../../portable/definition-text.ts";
import { type Exported, exportedDefinitions } from "../../portable/exported-definitions.ts";
import { contentOf, portableForm } from "../../portable/portable-content.ts";
import {
  type Command,
  type CommandInput,
  EXIT,
  type ExitCode,
  type Terminal,
  textOf,
} from "../command.ts";
import { targetHelp, targetOptions, withTarget } from "../open-target.ts";
import { writeCurrent, writeVersions } from "../write-definitions.ts";

export const exportAgents: Command = {
  name: "export",
  summary: "Write stored definitions as files, one for each agent",
  usage: "[agent …] [--out DIR | -] [options]",
  options: {
    ...targetOptions,
    out: { type: "string", short: "o" },
    format: { type: "string" },
    "all-versions": { type: "boolean" },
    json: { type: "boolean" },
  },
  help: [
    ...targetHelp,
    "-o, --out DIR       folder to write to, made when it is missing (default -: standard output)",
    "    --format NAME   yaml or json (default yaml)",
    "    --all-versions  every version, as DIR/agent/v3.yaml; needs a folder (default: the current ones)",
    "    --json          print what was written as JSON; needs a folder",
    "",
    "Without names it exports all stored definitions. Agents defined in code are named and skipped.",
    "Members that hold their default are left out. Importing a file changes nothing.",
  ],
  examples: [
    "tracon export --out agents",
    "tracon export support --format json",
    "tracon export --out history --all-versions",
  ],
  positionals: [0, 1_000],

  async run(input, terminal) {
    const options = readOptions(input);
    if ("problem" in options) {
      terminal.err(`${options.problem}\n`);
      return EXIT.usage;
    }
    return withTarget({ input, terminal }, async (target) => {
      const exported = await exportedDefinitions(target, input.positionals);
      for (const { name, sourceName } of exported.skipped) {
        terminal.err(`skipped ${name}: it comes from source '${sourceName}' and is not stored\n`);
      }
      return options.folder === undefined
        ? print(exported, { options, input, terminal })
        : write(exported, { folder: options.folder, options, target, terminal });
    });
  },
};

type ExportOptions = {
  readonly folder: string | undefined;
  readonly format: TextFormat;
  readonly isEveryVersion: boolean;
  readonly isJson: boolean;
};

function readOptions(input: CommandInput): ExportOptions | { readonly problem: string } {
  const out = textOf(input, "out") ?? "-";
  const folder = out === "-" ? undefined : out;
  const name = textOf(input, "format") ?? "yaml";
  const format = TEXT_FORMATS.find((it) => it === name);
  const isEveryVersion = input.values["all-versions"] === true;
  const isJson = input.values.json === true;
  if (format === undefined) return { problem: `'${name}' is no format; use json or yaml` };
  if (out === "") return { problem: "--out takes a folder, or - for standard output" };
  if (folder === undefined && isEveryVersion) return { problem: "--all-versions needs --out DIR" };
  if (folder === undefined && isJson) {
    return { problem: "--json needs --out DIR; for definitions as JSON use --format json" };
  }
  return { folder, format, isEveryVersion, isJson };
}

function print(
  { definitions }: Exported,
  {
    options: { format },
    input,
    terminal,
  }: { readonly options: ExportOptions; readonly input: CommandInput; readonly terminal: Terminal },
): ExitCode {
  const values = definitions.map((definition) => portableForm(contentOf(definition)));
  // Who asks for one agent gets one definition; who asks for all gets a list, whatever its length.
  const isOne = input.positionals.length === 1 && values.length === 1;
  terminal.out(isOne ? textOfOne(values[0], format) : textOfMany(values, format));
  return EXIT.ok;
}

type WriteCall = {
  readonly folder: string;
  readonly options: ExportOptions;
  readonly target: DefinitionTarget;
  readonly terminal: Terminal;
};

async function write(
  { definitions, skipped }: Exported,
  { folder, options, target, terminal }: WriteCall,
): Promise<ExitCode> {
  const place = { cwd: terminal.cwd, folder, format: options.format };
  const written = options.isEveryVersion
    ? await writeVersions(await everyVersion(definitions, target), place)
    : await writeCurrent(definitions, place);
  if (options.isJson) terminal.out(`${JSON.stringify({ written, skipped })}\n`);
  else
    for (const { file, name, version } of written)
      terminal.out(`wrote ${file}  (${name} v${version})\n`);
  return EXIT.ok;
}

async function everyVersion(
  definitions: readonly AgentDefinition[],
  target: DefinitionTarget,
): Promise<readonly AgentDefinition[]> {
  const versions: AgentDefinition[] = [];
  for (const { name } of definitions) versions.push(...(await target.versions(name)));
  return versions;
}
