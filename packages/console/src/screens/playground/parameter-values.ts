import type { AgentParameter } from "@tracon/core";

export type ParameterValues = Readonly<Record<string, string>>;

/** Names of required parameters that have neither a value nor a default, as the server would refuse them. */
export const missingParameters = (
  parameters: readonly AgentParameter[],
  values: ParameterValues,
): readonly string[] =>
  parameters
    .filter(
      ({ name, required, defaultValue }) => required && defaultValue === undefined && !values[name],
    )
    .map(({ name }) => name);

/** What is sent: the values that were given. One left empty takes its default. */
export function givenParameters(
  parameters: readonly AgentParameter[],
  values: ParameterValues,
): ParameterValues | undefined {
  const given = parameters.flatMap(({ name }) => {
    const value = values[name];
    return value === undefined || value === "" ? [] : [[name, value] as const];
  });
  return given.length === 0 ? undefined : Object.fromEntries(given);
}
