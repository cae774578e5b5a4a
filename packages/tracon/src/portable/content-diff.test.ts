import { type AgentDefinitionRequest, agentDefinitionRequestSchema } from "@tracon/core";
import { expect, it } from "vitest";
import { diffContents } from "./content-diff.ts";

const MODEL = { provider: "p", model: "m" };

it("names nothing between two definitions that mean the same", () => {
  expect(diff({ toolNames: [], metadata: { a: 1, b: 2 } }, { metadata: { b: 2, a: 1 } })).toEqual(
    [],
  );
});

it("names every member that differs, in the order of the schema", () => {
  const changes = diff(
    { metadata: { a: 1 }, toolNames: ["x"], model: { ...MODEL, temperature: 1 }, description: "d" },
    { metadata: { a: 2 }, toolNames: ["x", "y"], model: { ...MODEL, model: "n" } },
  );

  expect(changes).toEqual([
    { path: "description", before: "d" },
    { path: "model.model", before: "m", after: "n" },
    { path: "model.temperature", before: 1 },
    { path: "toolNames", before: ["x"], after: ["x", "y"] },
    { path: "metadata.a", before: 1, after: 2 },
  ]);
});

it("looks into lists of objects and into settings that were added as a whole", () => {
  const changes = diff(
    { parameters: [{ name: "a", kind: "Text" }] },
    {
      parameters: [
        { name: "a", kind: "Number" },
        { name: "b", kind: "Text" },
      ],
      skills: {},
    },
  );

  expect(changes).toEqual([
    { path: "skills", after: { disableReadApproval: false } },
    { path: "parameters[0].kind", before: "Text", after: "Number" },
    { path: "parameters[1]", after: { name: "b", kind: "Text", required: false } },
  ]);
});

it("tells null in the user's own JSON from what is not there", () => {
  expect(diff({ metadata: { a: null } }, {})).toEqual([{ path: "metadata.a", before: null }]);
});

const diff = (before: Partial<AgentDefinitionRequest>, after: Partial<AgentDefinitionRequest>) =>
  diffContents(read(before), read(after));

const read = (members: Partial<AgentDefinitionRequest>) =>
  agentDefinitionRequestSchema.parse({ name: "agent", model: MODEL, ...members });
