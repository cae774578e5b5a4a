/** What is said of a run that gets nowhere: to people, and to its model. Never in words of the run itself. */

import { cutText } from "../tools/cut-text.ts";
import type { ProgressFinding } from "./progress-detector.ts";
import type { ProgressAction } from "./progress-watch.ts";

const CONSEQUENCES: Readonly<Record<ProgressAction, string>> = {
  Recorded: "",
  Note: "; the model was told",
  ForcedAnswer: "; the model may only answer",
  Stop: "; the run is stopped",
};

/** Most names a sentence has: a batch may have called anything. */
const MAX_NAMES = 5;
const MAX_NAME_LENGTH = 64;

/** One sentence for people. */
export const progressText = (finding: ProgressFinding, action: ProgressAction): string =>
  `${foundText(finding)}${finding.waits ? ", waiting for something" : ""}${CONSEQUENCES[action]}`;

/** What came again, as part of a sentence. */
function foundText({ kind, subject, repeats, names }: ProgressFinding): string {
  const times = repeats === 1 ? "once more" : `${repeats} more times`;
  switch (kind) {
    case "UnchangedDraft":
      return `the same draft came ${times}`;
    case "RepeatedReview":
      return `${listOf(names)} objected the same ${times}`;
    case "PingPong":
      return `agents ${listOf(names)} were asked in turn ${times} and answered the same`;
    case "RepeatedCall":
      return subject === "agents"
        ? `agent ${listOf(names)} was asked the same ${times} and answered the same`
        : `${listOf(names)} gave the same result for the same call ${times}`;
  }
}

/** What the model is told. */
export const noteOf = (finding: ProgressFinding): string =>
  `You are repeating yourself: ${foundText(finding)}. Do not do it again. Take another way, or answer with what you have and say what is missing.`;

function listOf(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).map((name) => `'${cutText(name, MAX_NAME_LENGTH)}'`);
  if (names.length > MAX_NAMES) shown.push(`${names.length - MAX_NAMES} more`);
  const last = shown.pop() ?? "it";
  return shown.length === 0 ? last : `${shown.join(", ")} and ${last}`;
}
