/** The form changes what was edited in it and nothing else, whatever the definition. */

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Random, seededRandom } from "../kit/random.ts";
import { tracon } from "../kit/tracon-api.ts";
import { type ConsoleUnderTest, startConsole } from "./console-under-test.ts";

const SEED = 20_261_201;
const DEFINITIONS = 24;

let tested: ConsoleUnderTest;

beforeAll(async () => {
  tested = await startConsole();
});

afterAll(() => tested?.close());

it("leaves every other member of any definition as it was, byte for byte", {
  timeout: 120_000,
}, async () => {
  const random = seededRandom(SEED);
  const api = tracon(tested.url);
  const { page, faults } = await tested.open("/");

  for (let number = 0; number < DEFINITIONS; number++) {
    const definition = randomDefinition(`random-${number}`, random);
    const created = await api.json("POST", "/api/agents", definition);
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    const edit = pick(
      random,
      EDITS.filter(({ within = [] }) => valueAt(definition, within) !== undefined),
    );
    const text = `${edit.prefix ?? ""}${random.between(edit.least ?? 1, 1_000)}`;

    await page.goto(`${tested.url}/agents/${definition.name}/edit`);
    await page.getByRole("textbox", { name: edit.label, exact: true }).first().fill(text);
    await save(page);

    const { body } = await api.json("GET", `/api/agents/${definition.name}`);
    const before = split(created.body, edit.path);
    const after = split(body.definition, edit.path);
    expect(after.edited, edit.label).toBe(edit.prefix === undefined ? Number(text) : text);
    expect(after.others, `${edit.label} of definition ${number}`).toBe(before.others);
  }
  expect(faults).toEqual({ errors: [], foreign: [] });
});

type Members = Record<string | number, unknown>;
type Path = readonly (string | number)[];

type Edit = {
  readonly label: string;
  readonly path: Path;
  /** Settings without which there is no such field. */
  readonly within?: Path;
  /** The smallest number that can be saved. */
  readonly least?: number;
  /** Text before the number that is written; without one the number itself. */
  readonly prefix?: string;
};

const LOOP = ["harness", "loop"] as const;

const EDITS: readonly Edit[] = [
  { label: "Description", path: ["description"], prefix: "Text " },
  { label: "Display name", path: ["displayName"], prefix: "Text " },
  { label: "Instructions", path: ["instructions"], prefix: "Text " },
  { label: "Max output tokens", path: ["model", "maxOutputTokens"] },
  { label: "Most iterations", path: [...LOOP, "maxIterations"], within: LOOP },
  {
    label: "Marker",
    path: [...LOOP, "criteria", 0, "marker"],
    within: LOOP,
    prefix: "DONE ",
  },
  {
    label: "Stop after repeats",
    path: ["harness", "progress", "maxRepeats"],
    within: ["harness", "progress"],
    least: 4,
  },
];

/** What the store writes by itself. */
const STORED = { version: 0, updatedAt: "" };

/** The value at a path, and the text of everything else that a user decides. */
function split(definition: Members, path: Path) {
  const others: Members = structuredClone({ ...definition, ...STORED });
  const name = path.at(-1) ?? "";
  const parent = valueAt(others, path.slice(0, -1)) as Members;
  const edited = parent[name];
  delete parent[name];
  return { edited, others: JSON.stringify(others) };
}

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((at, key) => (at as Members | undefined)?.[key], value);

/** Any of the members a server saves today, each there or not, with texts that are awkward to carry. */
function randomDefinition(name: string, random: Random) {
  const maybe = <Value>(value: () => Value): Value | undefined =>
    random.next() < 0.6 ? value() : undefined;
  const text = () => pick(random, TEXTS);
  const list = <Value>(item: () => Value): Value[] =>
    Array.from({ length: random.between(0, 3) }, item);
  return {
    name,
    displayName: maybe(text),
    description: maybe(text),
    instructions: maybe(text),
    instructionsByCulture: maybe(() => ({ tr: text(), "zh-Hant": text() })),
    model: {
      provider: "demo",
      model: "support",
      temperature: maybe(() => random.between(0, 20) / 10),
      topP: maybe(() => random.between(1, 100) / 100),
      reasoningEffort: maybe(() => "low"),
      fallbacks: maybe(() => [{ provider: "demo", model: "slow" }]),
      toolLoop: maybe(() => ({ allowConcurrentToolCalls: random.next() < 0.5 })),
    },
    toolNames: maybe(() => ["get_order_status"]),
    extensionNames: maybe(() => ["tone"]),
    skills: maybe(() => ({ disableReadApproval: true })),
    callableAgents: maybe(() => ["support", { name: "slow" }, { name: "writer" }]),
    subAgents: maybe(() => ({ childDeadline: "00:00:10.5000000", callMode: "Tool" })),
    memory: maybe(() => ({ vectorCollection: "docs" })),
    compaction: maybe(() => ({ strategy: "None", triggerTokens: random.between(1, 9_999) })),
    harness: maybe(() => ({
      disableCompaction: true,
      disableTodoProvider: true,
      disableAgentModeProvider: true,
      maximumIterationsPerRequest: random.between(1, 40),
      loop: maybe(() => randomLoop(random, maybe)),
      progress: maybe(() => ({ escalate: true, maxRepeats: random.between(4, 9) })),
    })),
    parameters: maybe(() => [
      { name: "who", kind: "Text", required: random.next() < 0.5, description: maybe(text) },
      { name: "days", kind: "Number", defaultValue: maybe(() => "3") },
    ]),
    metadata: maybe(() => randomObject(random, 0, list)),
  };
}

function randomLoop(random: Random, maybe: <Value>(value: () => Value) => Value | undefined) {
  const others = [
    { kind: "aiJudge", judgeCriteria: ["It is polite.", pick(random, WORDS)] },
    { kind: "agentReview", reviewerAgent: "draft-reviewer" },
    { kind: "backgroundTaskCompletion" },
    { kind: "hasCitations" },
  ];
  const criteria = others.filter(() => random.next() < 0.5);
  return {
    criteria: [{ kind: "completionMarker", marker: pick(random, WORDS) }, ...criteria],
    maxIterations: maybe(() => random.between(1, 20)),
    freshContextPerIteration: maybe(() => true),
    onExhausted: maybe(() => pick(random, ["FailRun", "ReturnLastResponse"])),
    onCriterionError: maybe(() => "FailRun"),
  };
}

const WORDS = ["ALL DONE", " spaces ", "<b>&amp;</b>", "e\u0301 \u2028 end"];

const TEXTS = [
  "plain",
  " spaces around ",
  "One.\n\n  Two {{who}}.\n",
  'tab\tand "quotes" and \\backslash',
  "Grüße 👩‍👩‍👧 e\u0301 \u2028 end",
  "<b>&amp;</b>",
  "Lines\r\nof\rall\nsystems\u2028",
];

function randomObject(
  random: Random,
  depth: number,
  list: <Value>(item: () => Value) => Value[],
): Record<string, unknown> {
  const value = (): unknown => {
    const kind = random.between(0, depth > 2 ? 5 : 7);
    if (kind === 5) return list(value);
    if (kind === 6) return randomObject(random, depth + 1, list);
    return [null, true, random.between(-9, 9) / 4, pick(random, TEXTS), ""][kind];
  };
  return Object.fromEntries(
    list(() => [pick(random, ["a", "b.c", "", "0", "ключ", "d"]), value()]),
  );
}

const pick = <Value>(random: Random, values: readonly Value[]): Value =>
  values[random.between(0, values.length)] as Value;

async function save(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Save new version" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Save new version" }).click();
  await page.waitForURL((it) => !it.pathname.endsWith("/edit"));
}
