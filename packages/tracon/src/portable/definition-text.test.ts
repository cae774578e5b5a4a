import {
  type AgentDefinitionContent,
  agentDefinitionRequestSchema,
  contentHash,
} from "@tracon/core";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { readText, TEXT_FORMATS, textOfMany, textOfOne } from "./definition-text.ts";
import { contentOf, portableForm } from "./portable-content.ts";

const nasty = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.string({
    unit: fc.constantFrom(
      "\n",
      "\r",
      "\t",
      " ",
      "#",
      ":",
      "-",
      "'",
      '"',
      "\\",
      "|",
      ">",
      "a",
      "é",
      "😀",
      "\ufeff",
      "\u2028",
      "\u0085",
      "\u0000",
      "\ud800",
      "%",
      "&",
      "*",
      "!",
      "{",
      "~",
    ),
    maxLength: 120,
  }),
  fc.constantFrom(
    "null",
    "~",
    "yes",
    "1e3",
    "0x1",
    "2020-01-01",
    "<<",
    "---",
    "...\n---\n",
    "|-",
    "true",
    "1.",
    " \n a",
  ),
  fc.lorem({ mode: "sentences", maxCount: 5 }),
);
const name = fc.stringMatching(/^[a-z][a-z0-9._-]{0,20}[a-z0-9]$/);
const json = fc
  .jsonValue({ maxDepth: 3 })
  .filter((it) => !JSON.stringify(it).includes("__proto__"));
const record = fc.dictionary(
  fc.string({ maxLength: 12 }).filter((key) => key !== "__proto__"),
  json,
  { maxKeys: 4 },
);
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const model = fc.record({
  provider: name,
  model: name,
  temperature: optional(fc.double({ min: 0, max: 2, noNaN: true })),
  maxOutputTokens: optional(fc.integer({ min: 1, max: 1_000_000 })),
  providerSettings: record,
  responseFormat: optional(fc.record({ kind: fc.constant("JsonSchema"), schema: record })),
  fallbacks: fc.array(fc.record({ provider: name, model: name }), { maxLength: 2 }),
  responseCache: optional(
    fc.record({
      enabled: fc.boolean(),
      lifetime: fc.constantFrom("10s", "00:10:00", "1.00:00:00"),
    }),
  ),
  toolLoop: fc.record({ allowConcurrentToolCalls: fc.boolean() }),
});
const criterion = fc.record({
  kind: fc.constantFrom("", "completionMarker", "aiJudge"),
  marker: optional(nasty),
  judgeCriteria: fc.array(nasty, { maxLength: 2 }),
});
/** Definitions of every kind, down to texts that no format can hold as they are. */
const contents: fc.Arbitrary<AgentDefinitionContent> = fc
  .record({
    name,
    description: optional(nasty),
    instructions: optional(nasty),
    instructionsByCulture: optional(fc.dictionary(fc.constantFrom("en", "tr", "de-AT"), nasty)),
    model,
    toolNames: fc.array(
      nasty.filter((it) => it !== ""),
      { maxLength: 3 },
    ),
    callableAgents: fc.array(
      fc.record({ name, version: optional(fc.integer({ min: 1, max: 99 })) }),
      { maxLength: 2 },
    ),
    skills: optional(fc.record({ disableReadApproval: fc.boolean() })),
    harness: optional(
      fc.record({
        enableWebSearch: fc.boolean(),
        loop: optional(fc.record({ criteria: fc.array(criterion, { maxLength: 2 }) })),
      }),
    ),
    compaction: optional(fc.record({ strategy: fc.constantFrom("None", "Pipeline") })),
    parameters: fc.array(
      fc.record({ name, kind: fc.constantFrom("Text", "Number"), defaultValue: optional(nasty) }),
      { maxLength: 2 },
    ),
    metadata: record,
  })
  .map((value) => agentDefinitionRequestSchema.safeParse(value))
  .filter((read) => read.success)
  .map((read) => read.data as AgentDefinitionContent);

it.each(TEXT_FORMATS)("gives every definition back from %s as it was", (format) => {
  fc.assert(
    fc.property(contents, (content) => {
      const text = roundUtf8(textOfOne(portableForm(content), format));

      const read = agentDefinitionRequestSchema.parse(readText(text, format)[0]);

      expect(contentHash(read)).toBe(contentHash(content));
    }),
    { numRuns: 100 },
  );
});

it.each(TEXT_FORMATS)("writes the same text of a definition that was read from %s", (format) => {
  fc.assert(
    fc.property(fc.array(contents, { minLength: 1, maxLength: 3 }), (several) => {
      const text = textOfMany(several.map(portableForm), format);

      const read = readText(text, format).map((value) => agentDefinitionRequestSchema.parse(value));

      expect(textOfMany(read.map(portableForm), format)).toBe(text);
    }),
    { numRuns: 20 },
  );
});

it("leaves defaults out and keeps the order of the schema", () => {
  const content = agentDefinitionRequestSchema.parse({
    toolNames: ["look"],
    metadata: {},
    harness: { enableWebSearch: false },
    model: { model: "m", provider: "p", responseCache: { lifetime: "10m", enabled: true } },
    name: "agent",
    skillNames: [],
  });

  expect(textOfOne(portableForm(content), "yaml")).toBe(
    [
      "name: agent",
      "model:",
      "  provider: p",
      "  model: m",
      "  responseCache:",
      "    enabled: true",
      "toolNames:",
      "  - look",
      "harness: {}",
      "",
    ].join("\n"),
  );
});

it("writes long texts as blocks", () => {
  const instructions = "You help.\n\n  - be short: always\n# not a comment\n";
  const description = "word ".repeat(30).trim();
  const content = agentDefinitionRequestSchema.parse({
    name: "agent",
    description,
    instructions,
    model: { provider: "p", model: "m" },
  });

  expect(textOfOne(portableForm(content), "yaml")).toBe(
    `name: agent\ndescription: |-\n  ${description}\ninstructions: |\n  You help.\n\n    - be short: always\n  # not a comment\nmodel:\n  provider: p\n  model: m\n`,
  );
});

it("leaves out what the store owns", () => {
  const definition = {
    ...agentDefinitionRequestSchema.parse({ name: "a", model: { provider: "p", model: "m" } }),
    origin: "Database" as const,
    version: 7,
    tenantId: "default",
    updatedAt: "2026-01-01T00:00:00.000Z",
  };

  expect(portableForm(contentOf(definition))).toEqual({
    name: "a",
    model: { provider: "p", model: "m" },
  });
});

it.each([
  ["a tag", "name: !!js/function 'x'"],
  ["a tag of YAML 1.1", "name: !!binary aGk="],
  ["a key that stands twice", "name: a\nname: b"],
  ["an alias that holds itself", "metadata: &a\n  again: *a"],
  [
    "aliases that multiply",
    `a: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefgh"
      .split("")
      .map((key, i) => `${key}: &${key} [${Array(9).fill(`*${"abcdefg"[i]}`).join(",")}]`)
      .join("\n")}`,
  ],
  ["a number that JSON does not have", "metadata: { a: .nan }"],
  ["a key that is a list", "? [a]\n: b"],
  ["nesting without end", "[".repeat(50_000)],
  ["what is no YAML", "name: [a"],
])("refuses %s in YAML", (_what, text) => {
  expect(() => readText(text, "yaml")).toThrow();
});

it("refuses nesting without end in JSON", () => {
  expect(() => readText(`${"[".repeat(9_000)}${"]".repeat(9_000)}`, "json")).toThrow(/nested/);
});

it("reads an alias as what it stands for, and a text behind a byte order mark", () => {
  expect(readText("\ufeffa: &x [1]\nb: *x", "yaml")).toEqual([{ a: [1], b: [1] }]);
});

const roundUtf8 = (text: string): string =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(new TextEncoder().encode(text));
