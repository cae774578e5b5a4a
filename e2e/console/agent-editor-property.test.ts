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
    const edit = pick(random, EDITS);
    const text = `${edit.prefix ?? ""}${random.between(1, 1_000)}`;

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

type Members = Record<string, unknown>;

type Edit = {
  readonly label: string;
  readonly path: readonly string[];
  /** Text before the number that is written; without one the number itself. */
  readonly prefix?: string;
};

const EDITS: readonly Edit[] = [
  { label: "Description", path: ["description"], prefix: "Text " },
  { label: "Display name", path: ["displayName"], prefix: "Text " },
  { label: "Instructions", path: ["instructions"], prefix: "Text " },
  { label: "Max output tokens", path: ["model", "maxOutputTokens"] },
];

/** What the store writes by itself. */
const STORED = { version: 0, updatedAt: "" };

/** The value at a path, and the text of everything else that a user decides. */
function split(definition: Members, path: readonly string[]) {
  const others: Members = structuredClone({ ...definition, ...STORED });
  const [outer = "", inner] = path;
  const parent = inner === undefined ? others : (others[outer] as Members);
  const name = inner ?? outer;
  const edited = parent[name];
  delete parent[name];
  return { edited, others: JSON.stringify(others) };
}

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
    subAgents: maybe(() => ({ childDeadline: "00:00:10.5000000", callMode: "Tool" })),
    memory: maybe(() => ({ vectorCollection: "docs" })),
    compaction: maybe(() => ({ strategy: "None", triggerTokens: random.between(1, 9_999) })),
    harness: maybe(() => ({
      disableCompaction: true,
      disableTodoProvider: true,
      disableAgentModeProvider: true,
      maximumIterationsPerRequest: random.between(1, 40),
      progress: maybe(() => ({ escalate: true, maxRepeats: random.between(4, 9) })),
    })),
    parameters: maybe(() => [
      { name: "who", kind: "Text", required: random.next() < 0.5, description: maybe(text) },
      { name: "days", kind: "Number", defaultValue: maybe(() => "3") },
    ]),
    metadata: maybe(() => randomObject(random, 0, list)),
  };
}

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
