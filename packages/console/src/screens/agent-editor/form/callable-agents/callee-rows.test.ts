import { expect, it } from "vitest";
import { calleeRows, type OfferedAgent, toolNameOf } from "./callee-rows.ts";

const offered: readonly OfferedAgent[] = [
  { name: "editor", description: "Edits.", origin: "Database" },
  { name: "helper", origin: "Code" },
  { name: "researcher", description: "Finds.", origin: "Database" },
];

it("offers every agent, and says which are called and which have versions", () => {
  const rows = calleeRows([{ name: "helper" }], [], offered);

  expect(rows.map(({ name, index, hasVersions }) => [name, index, hasVersions])).toEqual([
    ["editor", undefined, true],
    ["helper", 0, false],
    ["researcher", undefined, true],
  ]);
});

it("puts those first that were called when the form was opened, checked or not", () => {
  const called = calleeRows([{ name: "researcher", version: 3 }], ["researcher"], offered);
  const unchecked = calleeRows([], ["researcher"], offered);

  expect(called.map(({ name }) => name)).toEqual(["researcher", "editor", "helper"]);
  expect(unchecked.map(({ name }) => name)).toEqual(["researcher", "editor", "helper"]);
});

it("keeps a name that is listed twice as two, each at its own place", () => {
  const rows = calleeRows(["editor", { name: "helper" }, { name: "editor" }], [], offered);

  expect(rows.filter(({ index }) => index !== undefined)).toMatchObject([
    { name: "editor", index: 0 },
    { name: "editor", index: 2 },
    { name: "helper", index: 1 },
  ]);
});

it("keeps what no agent has as its name, to be unchecked", () => {
  const rows = calleeRows([{ name: "gone" }, 7], [], offered);

  expect(rows.slice(0, 2)).toEqual([
    { name: "gone", index: 0, description: "There is no agent of that name.", hasVersions: false },
    { name: "", index: 1, description: "There is no agent of that name.", hasVersions: false },
  ]);
});

it.each([
  ["support-agent", "support_agent"],
  ["a. b--c", "a_b_c"],
  ["prüfer 2", "prüfer_2"],
])("names the tool of %j as the server does", (name, tool) => {
  expect(toolNameOf(name)).toBe(tool);
});
