import type { AgentDefinitionRequest, ModelProviderDescriptor } from "@tracon/core";

/** A definition that shows what one looks like, for a server about which nothing is known. */
export const EXAMPLE_DEFINITION: AgentDefinitionRequest = {
  name: "my-agent",
  description: "Answers short questions.",
  instructions: "You answer in two sentences at most. Say so when you do not know.",
  model: { provider: "openai", model: "gpt-5.4-mini" },
};

/** The example with a model that this server has and a name that is free, so that it can be saved as it is. */
export function exampleFor(
  providers: readonly ModelProviderDescriptor[],
  takenNames: ReadonlySet<string>,
): AgentDefinitionRequest {
  const listed = providers.flatMap((it) => it.models).at(0);
  const provider = listed?.provider ?? providers.at(0)?.name ?? EXAMPLE_DEFINITION.model.provider;
  const model = listed?.model ?? EXAMPLE_DEFINITION.model.model;
  return { ...EXAMPLE_DEFINITION, name: freeName(takenNames), model: { provider, model } };
}

function freeName(taken: ReadonlySet<string>): string {
  const { name } = EXAMPLE_DEFINITION;
  if (!taken.has(name)) return name;
  for (let number = 2; ; number += 1) {
    if (!taken.has(`${name}-${number}`)) return `${name}-${number}`;
  }
}
