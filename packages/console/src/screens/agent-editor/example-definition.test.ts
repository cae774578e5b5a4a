import { agentDefinitionRequestSchema, type ModelProviderDescriptor } from "@tracon/core";
import { expect, it } from "vitest";
import { EXAMPLE_DEFINITION, exampleFor } from "./example-definition.ts";

it("is a definition that core reads", () => {
  expect(agentDefinitionRequestSchema.safeParse(EXAMPLE_DEFINITION).success).toBe(true);
});

it("uses a model the server lists and a name that is free", () => {
  const providers = [
    { name: "empty", kind: "openai", models: [] },
    { name: "demo", kind: "scripted", models: [{ provider: "demo", model: "support" }] },
  ] as unknown as readonly ModelProviderDescriptor[];

  const example = exampleFor(providers, new Set(["my-agent", "my-agent-2"]));

  expect(example).toMatchObject({
    name: "my-agent-3",
    model: { provider: "demo", model: "support" },
  });
});

it("falls back on a registered provider that lists no model", () => {
  const example = exampleFor([{ name: "local", kind: "openai", models: [] }], new Set());

  expect(example.model.provider).toBe("local");
});
