import type { AgentParameter } from "@tracon/core";
import { expect, it } from "vitest";
import { givenParameters, missingParameters } from "./parameter-values.ts";

const parameters: readonly AgentParameter[] = [
  { name: "city", kind: "Text", required: true },
  { name: "days", kind: "Number", required: true, defaultValue: "3" },
  { name: "note", kind: "Text", required: false },
];

it("misses required parameters without value and default, and no others", () => {
  expect(missingParameters(parameters, {})).toEqual(["city"]);
  expect(missingParameters(parameters, { city: "" })).toEqual(["city"]);
  expect(missingParameters(parameters, { city: "Izmir" })).toEqual([]);
});

it("sends what was given and only what the agent declares", () => {
  expect(givenParameters(parameters, { city: "Izmir", days: "", other: "x" })).toEqual({
    city: "Izmir",
  });
  expect(givenParameters(parameters, {})).toBeUndefined();
});
