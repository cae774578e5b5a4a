/** The arguments of a call as a model writes them: JSON text, where nothing means no arguments. */

export type ReadArguments = { readonly value: unknown } | { readonly problem: string };

export function readArguments(input: string): ReadArguments {
  if (input.trim() === "") return { value: {} };
  let value: unknown;
  try {
    value = JSON.parse(input);
  } catch {
    return { problem: "the arguments are not valid JSON" };
  }
  // What cannot be written again as it was read could be shown as something else than is run.
  return isWritable(value) ? { value } : { problem: "a number is too large" };
}

function isWritable(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (value === null || typeof value !== "object") return true;
  return Object.values(value).every(isWritable);
}
