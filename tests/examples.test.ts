/** Every example is a program that ends well only when everything came out as it says. */

import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { createTracon } from "tracon";
import { expect, it } from "vitest";
import { covers } from "../e2e/requirements/covers.ts";
import demo from "../examples/demo/tracon.config.ts";
import { read, root } from "./source-tree/files.ts";

/** A program compiles its sources when it starts, which takes long on a busy machine. */
const PROGRAM_MS = 120_000;

/** A file of a configuration is served, not run. */
const programs = readdirSync(`${root}/examples`, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== "demo")
  .map(({ name }) => name)
  .sort();

const ended = new Map<string, SpawnSyncReturns<string>>();

/** Something a person reads in the output of each. */
const SHOWN: Readonly<Record<string, string>> = {
  "code-criteria": "2. hasCitations: stop, factsChecked: continue",
  researcher: "The answer is the last of 2 iterations:",
  "reviewed-writer": "iteration 1 continued by 'agentReview' (reviewer 'draft-reviewer' v1)",
  router: "  support → Your order ORD-3 is on its way.",
  "strict-judge": "The run was refused with loop_unsatisfied",
};

it.each(programs)(
  "ends %s well and shows what it is about",
  (name) => {
    const { status, stdout, stderr } = runExample(name);

    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain(SHOWN[name] ?? `a text of ${name} in the test of the examples`);
  },
  PROGRAM_MS,
);

it("has a criterion that reads the last message, asks an agent and keeps what it found a round before", {
  ...covers("code-criterion.example-draft-review"),
  timeout: PROGRAM_MS,
}, () => {
  const { stdout } = runExample("code-criteria");

  expect(stdout).toContain(
    "Draft: It was lit in 1698 [1].\nYou found before: Not in 1798, in 1698.",
  );
});

it.each([
  { agent: "router", runs: ["router 0 Completed", "support 1 Completed"], iterations: undefined },
  {
    agent: "tagline-writer",
    runs: [
      "tagline-writer 0 Completed",
      "tagline-reviewer 1 Completed",
      "tagline-reviewer 1 Completed",
    ],
    iterations: 2,
  },
])("grows a tree on the first day: the demo's $agent", async ({ agent, runs, iterations }) => {
  const tracon = await createTracon({ ...demo, storage: "memory:" }, { env: {} });

  const result = await tracon.run(agent, { message: "Where is ORD-3?" });
  const tree = await tracon.runs.tree(result.runId);
  await tracon.close();

  expect(tree.map((run) => `${run.agentName} ${run.depth} ${run.status}`)).toEqual(runs);
  expect(result.iterations).toBe(iterations);
});

it("has every example check itself", () => {
  const unchecked = programs.filter(
    (name) => !/\bassert[.(]/.test(read(`examples/${name}/main.ts`)),
  );

  expect(unchecked).toEqual([]);
});

it("shows in the documents what the router's example measures", {
  ...covers("call-mode.child-cost-unchanged"),
  timeout: PROGRAM_MS,
}, () => {
  const lines = runExample("router").stdout.split("\n");

  const table = lines.filter((line) => line.startsWith("|")).join("\n");

  expect(table).toContain("| Model calls | 5 | 2 |");
  expect(table).toContain("| Model calls of the callee | 2 | 2 |");
  expect(read("docs/concepts/callable-agents.md")).toContain(table);
});

it("lists every example where a reader looks for them", () => {
  const index = read("examples/README.md");

  expect(programs.filter((name) => !index.includes(`(${name}/main.ts)`))).toEqual([]);
});

function runExample(name: string) {
  const known = ended.get(name);
  if (known !== undefined) return known;
  const program = spawnSync(
    process.execPath,
    ["--conditions=@tracon/source", `examples/${name}/main.ts`],
    // Nothing of this machine's environment may choose another store.
    { cwd: root, env: {}, encoding: "utf8" },
  );
  ended.set(name, program);
  return program;
}
