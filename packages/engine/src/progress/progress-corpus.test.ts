/**
 * Runs as data: 50 loops of the kinds that people report of agents, each with the issue it was found in, and
 * 200 runs that repeat themselves for a good reason.
 *
 * A run has parts, a part is gone through `turns` times, and each of its steps is one fact. Where a member is
 * a list, its entries are taken in turn: the spellings of the same call, or the answers of a poll.
 */

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { type ProgressStep, ProgressWatch } from "./progress-watch.ts";

type OneOf<Value> = Value | readonly Value[];

type Fault = { readonly kind: "Failed" | "InvalidArguments"; readonly error: string };

type ToolStep = {
  readonly tool: string;
  /** Arguments, or their text where the spelling matters. */
  readonly input: OneOf<object | string>;
  readonly result: OneOf<string | Fault>;
  readonly effect?: "read";
  readonly polled?: true;
};

type RecordedStep =
  | ToolStep
  | { readonly calls: readonly ToolStep[] }
  | { readonly child: string; readonly message: OneOf<string>; readonly answer: OneOf<string> }
  | { readonly draft: OneOf<string>; readonly waits?: true }
  | { readonly review: OneOf<string> };

export type RecordedRun = {
  readonly name: string;
  readonly parts: readonly { readonly turns: number; readonly steps: readonly RecordedStep[] }[];
};

const MAX_REPEATS = 4;
/** What the rules cannot tell from a loop; the head of `progress-detector.ts` says why. */
const KNOWN_FALSE_STOPS = ["reviewer-of-few-words", "silent-until-done"];

const runaways = recorded("runaways.jsonl");
const legitimate = recorded("legitimate-runs.jsonl");

it("knows 50 runaways and 200 legitimate runs", () => {
  expect([runaways.length, legitimate.length]).toEqual([50, 200]);
});

it.each(runaways)(
  "finds the loop $name, and only records it where nothing else is asked for",
  (run) => {
    const steps = watched(run, false);

    expect(steps.length).toBeGreaterThan(0);
    expect(new Set(steps.map(({ action }) => action))).toEqual(new Set(["Recorded"]));
  },
);

it.each(runaways)(
  "stops the loop $name within four repeats, after a note and a forced answer",
  (run) => {
    const steps = watched(run, true);
    const stop = steps.findIndex(({ action }) => action === "Stop");

    expect(steps[stop]?.finding.repeats).toBeLessThanOrEqual(MAX_REPEATS);
    expect(steps.slice(0, stop + 1).map(({ action }) => action)).toEqual(
      expect.arrayContaining(["Note", "ForcedAnswer", "Stop"]),
    );
  },
);

it("hinders at most one of a hundred legitimate runs, and only those it is known to hinder", () => {
  const hindered = legitimate.filter((run) =>
    watched(run, true).some(({ action }) => action === "ForcedAnswer" || action === "Stop"),
  );

  expect(hindered.map(({ name }) => name)).toEqual(KNOWN_FALSE_STOPS);
  expect(hindered.length / legitimate.length).toBeLessThanOrEqual(0.01);
});

function recorded(name: string): readonly RecordedRun[] {
  const text = readFileSync(new URL(`./corpus/${name}`, import.meta.url), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as RecordedRun);
}

/** What a watch says of a run that goes on whatever is said. */
function watched(run: RecordedRun, escalate: boolean): readonly ProgressStep[] {
  const watch = new ProgressWatch({ escalate, maxRepeats: MAX_REPEATS }, true);
  return run.parts.flatMap(({ turns, steps }) =>
    Array.from({ length: turns }, (_, turn) =>
      steps.flatMap((step) => factOf(watch, step, turn) ?? []),
    ).flat(),
  );
}

function factOf(watch: ProgressWatch, step: RecordedStep, turn: number): ProgressStep | undefined {
  if ("tool" in step) return watch.toolRound([callOf(step, turn)]);
  if ("calls" in step) return watch.toolRound(step.calls.map((call) => callOf(call, turn)));
  if ("draft" in step) return watch.draft(inTurn(step.draft, turn), { waits: step.waits === true });
  if ("review" in step) return watch.review("reviewer", inTurn(step.review, turn));
  return watch.childCall({
    agentName: step.child,
    message: inTurn(step.message, turn),
    answer: inTurn(step.answer, turn),
  });
}

function callOf({ tool, input, result, effect, polled }: ToolStep, turn: number) {
  const given = inTurn(input, turn);
  const outcome = inTurn(result, turn);
  return {
    toolName: tool,
    arguments: typeof given === "string" ? given : JSON.stringify(given),
    outcome:
      typeof outcome === "string"
        ? { ok: true as const, result: outcome }
        : { ok: false as const, ...outcome },
    effect,
    isPolled: polled,
  };
}

const inTurn = <Value>(values: OneOf<Value>, turn: number): Value =>
  Array.isArray(values) ? (values[turn % values.length] as Value) : (values as Value);
