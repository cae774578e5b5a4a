import type { AgentDescriptor } from "@tracon/core";
import { expect, it } from "vitest";
import { paletteItems } from "./palette-items.ts";

it("offers every screen and agent before anything is typed", () => {
  expect(titles("")).toEqual([
    "Home",
    "Playground",
    "Runs",
    "Approvals",
    "Sessions",
    "Agents",
    "New agent",
    "Run support-desk",
    "Open support-desk",
    "Run desk",
    "Open desk",
  ]);
});

it("ranks what starts with the words over what holds them inside", () => {
  expect(titles("run")).toEqual(["Runs", "Run support-desk", "Run desk"]);
  expect(titles("desk")[0]).toBe("Run support-desk");
  expect(titles("run desk")).toEqual(["Run support-desk", "Run desk"]);
});

it("offers nothing for what does not exist", () => {
  expect(titles("zzz")).toEqual([]);
});

it.each([
  "0198D3A0-0000-7000-8000-00000000ABCD",
  " 0198d3a0000070008000 00000000abcd".replaceAll(" ", ""),
])("opens the run of a pasted id: %s", (typed) => {
  const [item] = paletteItems(typed, agents);

  expect(item?.target).toEqual({
    to: "/runs/$runId",
    runId: "0198d3a0-0000-7000-8000-00000000abcd",
  });
});

const agents = ["support-desk", "desk"].map((name) => ({ name }) as AgentDescriptor);
const titles = (typed: string) => paletteItems(typed, agents).map((item) => item.title);
