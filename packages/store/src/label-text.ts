/**
 * The labels of a run as one text that can be grouped by and searched for one of them. The marks
 * around keys and values cannot be in stored text.
 */

import { originalText, storedText } from "./stored-values.ts";

const KEY = "\u0010k";
const VALUE = "\u0010v";
const END = "\u0010e";

type Labels = Readonly<Record<string, string>>;

export const labelsText = (labels: Labels | undefined): string =>
  Object.entries(labels ?? {})
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, value]) => labelText(key, value))
    .join("");

/** What the text of a run's labels contains when it has this label. */
export const labelText = (key: string, value: string | undefined): string =>
  `${KEY}${storedText(key)}${VALUE}${value === undefined ? "" : storedText(value) + END}`;

export function labelsOf(text: string): readonly (readonly [key: string, value: string])[] {
  return text
    .split(END)
    .slice(0, -1)
    .map((label) => {
      const [key = "", value = ""] = label.slice(KEY.length).split(VALUE);
      return [originalText(key), originalText(value)];
    });
}
