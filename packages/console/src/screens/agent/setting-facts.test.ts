import { expect, it } from "vitest";
import { settingFacts } from "./setting-facts.ts";

it("reads names as words and values as text", () => {
  const facts = settingFacts({
    maxIterations: 3,
    freshContextPerIteration: true,
    criteria: [{ kind: "completionMarker", marker: "DONE", modes: [] }],
  });

  expect(facts).toEqual([
    ["Max iterations", "3"],
    ["Fresh context per iteration", "yes"],
    ["Criteria", "kind completionMarker, marker DONE"],
  ]);
});

it("leaves out what is off or empty, and says when that is everything", () => {
  expect(settingFacts({ a: false, b: [], c: "", d: {}, e: 0 })).toEqual([["E", "0"]]);
  expect(settingFacts({ a: false })).toEqual([["Settings", "all defaults"]]);
});
