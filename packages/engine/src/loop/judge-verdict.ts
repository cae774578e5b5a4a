/**
 * The answer of a judge, read with the tolerance that models without structured output need. The first
 * object counts, however its members are spelled; without one, two fixed words do. Whatever is ambiguous
 * means that the work goes on.
 */

import { firstObjectIn, keysOfObject } from "./json-text.ts";

export type JudgeVerdict = {
  readonly answered: boolean;
  /** What is missing; empty when the judge did not say. */
  readonly gapAnalysis: string;
};

/** What a judge writes when it cannot answer in JSON. Neither of the two contains the other. */
export const DONE_MARK = "VERDICT: DONE";
export const MORE_MARK = "VERDICT: MORE";

export function readJudgeVerdict(answer: string): JudgeVerdict {
  const json = firstObjectIn(answer);
  if (json !== undefined) return verdictOf(json);
  const text = answer.toUpperCase();
  const answered = text.includes(DONE_MARK) && !text.includes(MORE_MARK);
  return { answered, gapAnalysis: "" };
}

function verdictOf(json: string): JudgeVerdict {
  const members = Object.entries(JSON.parse(json) as Readonly<Record<string, unknown>>);
  const memberNamed = (name: string) => members.find(([key]) => key.toLowerCase() === name)?.[1];
  const isAmbiguous =
    keysOfObject(json).filter((key) => key.toLowerCase() === "answered").length > 1;
  const gapAnalysis = memberNamed("gapanalysis");
  return {
    answered: !isAmbiguous && memberNamed("answered") === true,
    gapAnalysis: typeof gapAnalysis === "string" ? gapAnalysis.trim() : "",
  };
}
