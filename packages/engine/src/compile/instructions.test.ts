import {
  type AgentDefinitionRequest,
  agentDefinitionRequestSchema,
  contentHash,
  type Finding,
} from "@tracon/core";
import { expect, it } from "vitest";
import { covers } from "../../../../e2e/requirements/covers.ts";
import type { DefinedAgent } from "../catalog/catalog-entry.ts";
import { compileInstructions, type InstructionsInput } from "./instructions.ts";

const USER = { sharedInstructionsName: "block" };

it(
  "puts the text of the shared block in front of its own",
  covers("shared-instructions.prepended", "shared-instructions.joins-at-compile"),
  () => {
    const { text, findings } = compile(
      { ...USER, instructions: "Answer billing questions." },
      { shared: entry({ instructions: "Cite your source." }) },
    );

    expect(text).toBe("Cite your source.\n\nAnswer billing questions.");
    expect(findings).toEqual([]);
  },
);

it(
  "puts the block's default text in front of the text of the culture",
  covers(
    "shared-instructions.joins-resolved-text",
    "shared-instructions.uses-default-text-of-block",
  ),
  () => {
    const { text } = compile(
      { ...USER, instructions: "Help.", instructionsByCulture: { tr: "Yardım et." } },
      {
        shared: entry({ instructions: "Cite.", instructionsByCulture: { tr: "Kaynak göster." } }),
        culture: "tr",
      },
    );

    expect(text).toBe("Cite.\n\nYardım et.");
  },
);

it("puts values into the block and into the text of the culture, once", () => {
  const { text, findings } = compile(
    {
      ...USER,
      instructionsByCulture: { tr: "{{b}} {{a}}" },
      parameters: [
        { name: "a", kind: "Text" },
        { name: "b", kind: "Text" },
      ],
    },
    {
      shared: entry({ instructions: "<{{a}}>" }),
      culture: "tr",
      parameters: new Map([
        ["a", "{{b}}"],
        ["b", "{{a}}"],
      ]),
    },
  );

  expect(text).toBe("<{{b}}>\n\n{{a}} {{b}}");
  expect(findings).toEqual([]);
});

it("leaves placeholders as they are while it only checks", () => {
  const { text } = compile({
    instructions: "Hi {{a}}.",
    parameters: [{ name: "a", kind: "Text", required: true }],
  });

  expect(text).toBe("Hi {{a}}.");
});

it("leaves out a text that is empty", () => {
  const shared = entry({ instructions: "" });

  expect(compile({ instructions: "Help." }).text).toBe("Help.");
  expect(compile({ ...USER, instructions: "Help." }, { shared }).text).toBe("Help.");
  expect(compile(USER, { shared: entry({ instructions: "Cite." }) }).text).toBe("Cite.");
  expect(compile(USER, { shared }).text).toBeUndefined();
  expect(compile({}).text).toBeUndefined();
});

it.each<[string, Partial<AgentDefinitionRequest>, InstructionsInput["shared"]]>([
  ["does not exist", USER, "missing"],
  ["is built by code", USER, "textless"],
  ["shares a block itself", USER, entry({ sharedInstructionsName: "third" })],
  ["shares the agent's text in turn", USER, entry({ sharedInstructionsName: "agent" })],
  ["is the agent itself", { sharedInstructionsName: "agent" }, entry({}, "agent")],
])(
  "refuses a block that %s",
  covers(
    "shared-instructions.single-hop",
    "shared-instructions.second-hop-refused-at-compile",
    "shared-instructions.unknown-block-refused",
    "shared-instructions.no-cycle-walk",
  ),
  (_, definition, shared) => {
    expect(compile(definition, { shared }).findings).toMatchObject([
      { code: "shared_instructions_invalid", path: "sharedInstructionsName", severity: "Error" },
    ]);
  },
);

it("refuses a block nobody looked for only once it is looked for", () => {
  const definition = { ...USER, parameters: [{ name: "a", kind: "Text" as const }] };

  expect(compile(definition, { shared: "unchecked" }).findings).toEqual([]);
});

it("reports cultures, declarations and warnings together", () => {
  const { findings } = compile({
    instructions: "{{c}}",
    instructionsByCulture: { tr_TR: "x" },
    parameters: [
      { name: "a", kind: "Text" },
      { name: "a", kind: "Text" },
    ],
  });

  expect(findings.map(({ code, severity }) => [code, severity])).toEqual([
    ["culture_invalid", "Error"],
    ["duplicate_name", "Error"],
    ["placeholder_undeclared", "Warning"],
    ["parameter_unused", "Warning"],
    ["parameter_unused", "Warning"],
  ]);
});

function compile(
  definition: Partial<AgentDefinitionRequest>,
  input: Partial<InstructionsInput> = {},
) {
  const findings: Finding[] = [];
  const text = compileInstructions(
    content(definition),
    { shared: undefined, culture: undefined, parameters: undefined, ...input },
    findings,
  );
  return { text, findings };
}

function entry(definition: Partial<AgentDefinitionRequest>, name = "block"): DefinedAgent {
  const read = content({ name, ...definition });
  return {
    definition: { ...read, origin: "Database", version: 1 },
    contentHash: contentHash(read),
    sourceName: "database",
  };
}

function content(definition: Partial<AgentDefinitionRequest>) {
  const model = { provider: "test", model: "m" };
  return agentDefinitionRequestSchema.parse({ name: "agent", model, ...definition });
}
