import { type AgentDefinitionContent, TraconError } from "@tracon/core";
import { diffContents } from "../../portable/content-diff.ts";
import { readDefinitions } from "../../portable/definition-files.ts";
import type { DefinitionTarget } from "../../portable/definition-target.ts";
import { contentOf } from "../../portable/portable-content.ts";
import { type Command, type CommandInput, EXIT, textOf } from "../command.ts";
import { changesText, findingsText, painter } from "../definition-report.ts";
import { targetHelp, targetOptions, withTarget } from "../open-target.ts";

export const diff: Command = {
  name: "diff",
  summary: "Show what differs between two versions of an agent, or between it and a file",
  usage: "<agent> [a] [b] [options]",
  options: { ...targetOptions, file: { type: "string" }, json: { type: "boolean" } },
  help: [
    ...targetHelp,
    "    --file FILE     from the current version to the definition of that agent in a file",
    "    --json          print the changes as JSON",
    "",
    "Without numbers it compares the previous version with the current one; with one number,",
    "that version with the current one. Exits with 0 when they are equal and with 3 when not.",
  ],
  examples: [
    "tracon diff support",
    "tracon diff support 2 5",
    "tracon diff support --file support.yaml",
  ],
  positionals: [1, 3],

  async run(input, terminal) {
    const [agent = "", ...numbers] = input.positionals;
    const file = textOf(input, "file");
    const problem = problemOf(numbers, file);
    if (problem !== undefined) {
      terminal.err(`${problem}\n`);
      return EXIT.usage;
    }
    const { cwd } = terminal;
    const { from, to } = await withTarget({ input, terminal }, (target) =>
      file === undefined
        ? twoVersions(target, agent, numbers.map(Number))
        : currentAndFile(target, agent, { file, cwd }),
    );
    const changes = diffContents(from.content, to.content);
    const equal = changes.length === 0;
    if (input.values.json === true) {
      terminal.out(`${JSON.stringify({ agent, from: from.at, to: to.at, equal, changes })}\n`);
    } else {
      const paint = painter(terminal.hasColors ?? false);
      terminal.out(`${agent}  ${placeText(from.at)} → ${placeText(to.at)}\n`);
      terminal.out(equal ? "no difference\n" : changesText(changes, paint));
    }
    return equal ? EXIT.ok : EXIT.badAnswer;
  },
};

type Place = { readonly version: number } | { readonly file: string };
type Side = { readonly at: Place; readonly content: AgentDefinitionContent };
type Sides = { readonly from: Side; readonly to: Side };

const placeText = (at: Place): string => ("file" in at ? at.file : `v${at.version}`);

function problemOf(numbers: CommandInput["positionals"], file: string | undefined) {
  const wrong = numbers.find((number) => !/^[1-9]\d{0,8}$/.test(number));
  if (wrong !== undefined) return `'${wrong}' is not a version; use a number such as 3`;
  return file !== undefined && numbers.length > 0
    ? "--file compares with the current version; leave the numbers out"
    : undefined;
}

async function twoVersions(
  target: DefinitionTarget,
  agent: string,
  [a, b]: readonly number[],
): Promise<Sides> {
  if (a !== undefined && b !== undefined) {
    return { from: await versionSide(target, agent, a), to: await versionSide(target, agent, b) };
  }
  if ((await target.find(agent)) === undefined) throw notStored(agent);
  const [current, previous] = await target.versions(agent);
  if (current === undefined) throw notStored(agent);
  const to = { at: { version: current.version }, content: contentOf(current) };
  if (a !== undefined) return { from: await versionSide(target, agent, a), to };
  if (previous === undefined) {
    throw new TraconError(
      "agent_version_not_found",
      `agent '${agent}' has only version ${current.version}; there is none before it to compare with`,
    );
  }
  return { from: { at: { version: previous.version }, content: contentOf(previous) }, to };
}

const notStored = (agent: string) =>
  new TraconError(
    "agent_not_found",
    `there is no stored agent '${agent}'; one defined in code has no versions`,
  );

async function versionSide(
  target: DefinitionTarget,
  agent: string,
  version: number,
): Promise<Side> {
  return { at: { version }, content: contentOf(await target.version(agent, version)) };
}

async function currentAndFile(
  target: DefinitionTarget,
  agent: string,
  { file, cwd }: { readonly file: string; readonly cwd: string },
): Promise<Sides> {
  const { definitions, findings } = await readDefinitions([file], { cwd });
  const name = agent.normalize("NFC");
  const inFile = definitions.find(({ content }) => content.name === name);
  if (inFile === undefined) {
    const reasons = findings.length === 0 ? "" : `:\n${findingsText(findings).trimEnd()}`;
    throw new TraconError("request_invalid", `'${file}' has no definition of '${agent}'${reasons}`);
  }
  const stored = await target.find(name);
  if (stored === undefined) throw notStored(agent);
  return {
    from: { at: { version: stored.version }, content: contentOf(stored) },
    to: { at: { file }, content: inFile.content },
  };
}
