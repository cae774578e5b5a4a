import { carryOut, type DoneStep } from "../../portable/carry-out.ts";
import { type ReadDefinitions, readDefinitions } from "../../portable/definition-files.ts";
import type { DefinitionTarget } from "../../portable/definition-target.ts";
import { makePlan } from "../../portable/plan.ts";
import { type FileFinding, hasErrors } from "../../portable/portable-finding.ts";
import { unreadFindings } from "../../portable/unread-findings.ts";
import { type Command, EXIT, type ExitCode, type Terminal } from "../command.ts";
import { findingsText, notesText } from "../definition-report.ts";
import { targetHelp, targetOptions, withTarget } from "../open-target.ts";

export const importAgents: Command = {
  name: "import",
  summary: "Save definitions from files, all of them or none",
  usage: "<FILE|DIR> … [options]",
  options: { ...targetOptions, json: { type: "boolean" } },
  help: [
    ...targetHelp,
    "    --json          print what was saved, and what is wrong, as JSON",
    "",
    "Reads .json, .yaml and .yml; of a folder, the files directly in it. A file may hold several.",
    "Everything is checked first: with any error nothing is saved, and it exits with 3.",
    "What is stored already is not saved again.",
    "Definitions that Tracon for .NET wrote are read too; what was renamed since is said.",
  ],
  examples: ["tracon import agents", "tracon import support.json billing.yaml --json"],
  positionals: [1, 1_000],

  async run(input, terminal) {
    const read = await readDefinitions(input.positionals, { cwd: terminal.cwd, isImport: true });
    const isJson = input.values.json === true;
    const nothing = read.definitions.length === 0 && read.findings.length === 0;
    if (nothing) {
      terminal.err(`there are no definition files in ${input.positionals.join(", ")}\n`);
      return EXIT.badAnswer;
    }
    return withTarget({ input, terminal }, (target) => save(read, { target, terminal, isJson }));
  },
};

type ImportCall = {
  readonly target: DefinitionTarget;
  readonly terminal: Terminal;
  readonly isJson: boolean;
};

async function save(read: ReadDefinitions, call: ImportCall): Promise<ExitCode> {
  const { target, terminal } = call;
  const { steps, findings } = await makePlan(read.definitions, target);
  const all = [...read.findings, ...(await unreadFindings(read, target)), ...findings];
  const done: DoneStep[] = [];
  const report = () => terminal.out(reportText({ read, findings: all, done, steps }, call.isJson));
  if (hasErrors(all)) {
    report();
    if (!call.isJson) terminal.err("nothing was saved\n");
    return EXIT.badAnswer;
  }
  try {
    const onDone = (step: DoneStep) => void done.push(step);
    await carryOut(steps, { target, onDone, signal: terminal.interrupted });
  } finally {
    // What was saved before a failure stays saved, so it is said in any case.
    report();
  }
  return EXIT.ok;
}

type Outcome = {
  readonly read: ReadDefinitions;
  readonly findings: readonly FileFinding[];
  readonly done: readonly DoneStep[];
  readonly steps: Awaited<ReturnType<typeof makePlan>>["steps"];
};

function reportText({ read, findings, done, steps }: Outcome, isJson: boolean): string {
  const saved = done.map(({ step: { name, action }, version }) => ({
    name,
    version,
    created: action === "create",
  }));
  const unchanged = hasErrors(findings)
    ? []
    : steps.filter(({ action }) => action === "unchanged").map(({ name }) => name);
  if (isJson) {
    return `${JSON.stringify({ saved, unchanged, findings, notes: read.notes })}\n`;
  }
  return [
    findingsText(findings),
    notesText(read.notes),
    ...saved.map((it) => `${it.created ? "created" : "saved"} ${it.name} v${it.version}\n`),
    ...unchanged.map((name) => `unchanged ${name}\n`),
  ].join("");
}
