/** Settings of any shape as names and values to read. What is off or empty is left out. */

import type { Fact } from "../../design/facts.tsx";

export function settingFacts(settings: object): readonly Fact[] {
  const facts = Object.entries(settings).flatMap(([name, value]): Fact[] => {
    const text = textOf(value);
    return text === undefined ? [] : [[wordsOf(name), text]];
  });
  return facts.length === 0 ? [["Settings", "all defaults"]] : facts;
}

function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null || value === false || value === "") return undefined;
  if (value === true) return "yes";
  if (Array.isArray(value)) {
    return value.length === 0 ? undefined : value.map((item) => textOf(item) ?? "").join("; ");
  }
  if (typeof value !== "object") return String(value);
  const members = Object.entries(value).flatMap(([name, member]) => {
    const text = textOf(member);
    return text === undefined ? [] : [`${wordsOf(name).toLowerCase()} ${text}`];
  });
  return members.length === 0 ? undefined : members.join(", ");
}

/** `maxOutputTokens` as `Max output tokens`. */
function wordsOf(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
