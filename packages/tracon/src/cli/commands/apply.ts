import { resolve } from "node:path";
import { appliedAfter, carryOut, type DoneStep } from "../../portable/carry-out.ts";
import { definitionFilesIn, readDefinitions } from "../../portable/definition-files.ts";
import type { DefinitionTarget } from "../../portable/definition-target.ts";
import { type AppliedAgents, readApplied, writeApplied } from "../../portable/lock-file.ts";
import { isDrift, isWrite, makePlan, type PlanStep } from "../../portable/plan.ts";
import { type FileFinding, hasErrors } from "../../portable/portable-finding.ts";
import { unreadFindings } from "../../portable/unread-findings.ts";
import { type Command, type CommandInput, EXIT, type ExitCode, type Terminal } from "../command.ts";
import { findingsText, painter, planText, stepJson } from "../definition-report.ts";
import { targetHelp, targetOptions, withTarget } from "../open-target.ts";

export const apply: Command = {
  name: "apply",
  summary: "Make an installation have the definitions of a folder",
  usage: "<DIR> [options]",
  options: {
    ...targetOptions,
    "dry-run": { type: "boolean" },
    prune: { type: "boolean" },
    "overwrite-drift": { type: "boolean" },
    json: { type: "boolean" },
  },
  help: [
    ...targetHelp,
    "    --dry-run       print the plan and write nothing; exits with 3 when there is something to do",
    "    --prune         delete agents that were applied from this folder and have no file any more",
    "    --overwrite-drift  also overwrite what was changed elsewhere since the last apply",
    "    --json          print plan, findings and what was done as JSON",
    "",
    "Everything is checked first: with any error nothing is saved, and it exits with 3.",
    "What was applied last stands in DIR/tracon.lock.json; keep it with the definitions. A stored",
    "definition that differs from it is drift: nothing is saved then, and it exits with 3.",
  ],
  examples: ["tracon apply agents --dry-run", "tracon apply agents --url https://host/tracon"],
  positionals: [1, 1],

  async run(input, terminal) {
    const [directory = ""] = input.positionals;
    const folder = resolve(terminal.cwd, directory);
    // A folder without files is fine, one that is not there is a mistake.
    await definitionFilesIn(folder);
    const read = await readDefinitions([directory], { cwd: terminal.cwd });
    return withTarget(
      { input, terminal },
      async (target) => {
        const applied = await readApplied(folder, target.name);
        const prune = input.values.prune === true;
        const { steps, findings } = await makePlan(read.definitions, target, { applied, prune });
        const unread = await unreadFindings(read, target);
        const planned = { steps, findings: [...read.findings, ...unread, ...findings] };
        return finish({ folder, target, applied, input, terminal, ...planned });
      },
      folder,
    );
  },
};

type ApplyCall = {
  readonly folder: string;
  readonly target: DefinitionTarget;
  readonly applied: AppliedAgents;
  readonly steps: readonly PlanStep[];
  readonly findings: readonly FileFinding[];
  readonly input: CommandInput;
  readonly terminal: Terminal;
};

async function finish(call: ApplyCall): Promise<ExitCode> {
  const { steps, terminal, input } = call;
  const isJson = input.values.json === true;
  if (!isJson) {
    terminal.out(findingsText(call.findings));
    terminal.out(planText(steps, painter(terminal.hasColors ?? false)));
  }
  const done: DoneStep[] = [];
  try {
    const refusal = refusalOf(call);
    if (refusal === undefined && input.values["dry-run"] !== true) {
      await write(call, done);
      return EXIT.ok;
    }
    if (!isJson) terminal.err(`${refusal ?? "nothing was saved: this was a dry run"}\n`);
    return refusal === undefined && !steps.some(isWrite) ? EXIT.ok : EXIT.badAnswer;
  } finally {
    // Also when a step failed: what was done before it stays done.
    if (isJson) terminal.out(`${JSON.stringify(outcomeJson(call, done))}\n`);
  }
}

/** Why nothing may be saved. */
function refusalOf({ steps, findings, input }: ApplyCall): string | undefined {
  if (hasErrors(findings)) return "nothing was saved: there are errors";
  const drifted = steps.filter(isDrift).map(({ name }) => name);
  if (drifted.length === 0 || input.values["overwrite-drift"] === true) return undefined;
  return `nothing was saved: ${drifted.join(", ")} changed since the last apply; take the changes over with \`tracon export\`, or overwrite them with --overwrite-drift`;
}

async function write(call: ApplyCall, done: DoneStep[]): Promise<void> {
  const { steps, target, folder, applied, terminal, input } = call;
  try {
    const onDone = (step: DoneStep) => void done.push(step);
    await carryOut(steps, { target, onDone, signal: terminal.interrupted });
  } finally {
    if (input.values.json !== true) terminal.out(doneText(done));
    await writeApplied(folder, target.name, appliedAfter(applied, steps, done));
  }
}

const DONE_WORDS: Readonly<Record<PlanStep["action"], string>> = {
  create: "created",
  change: "saved",
  delete: "deleted",
  unchanged: "unchanged",
  keep: "kept",
};

function doneText(done: readonly DoneStep[]): string {
  if (done.length === 0) return "nothing to do\n";
  return done
    .map(({ step, version }) => {
      const suffix = version === undefined ? "" : ` v${version}`;
      return `${DONE_WORDS[step.action]} ${step.name}${suffix}\n`;
    })
    .join("");
}

const outcomeJson = ({ steps, findings }: ApplyCall, done: readonly DoneStep[]) => ({
  plan: steps.map(stepJson),
  findings,
  done: done.map(({ step: { action, name }, version }) => ({ action, name, version })),
});
