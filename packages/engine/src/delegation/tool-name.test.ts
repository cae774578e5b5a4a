import fc from "fast-check";
import { expect, it } from "vitest";
import { covers } from "../../../../e2e/requirements/covers.ts";
import { toolNameOf } from "./tool-name.ts";

it.each([
  ["support", "support"],
  ["support-agent", "support_agent"],
  ["support agent", "support_agent"],
  ["support - agent", "support_agent"],
  ["Support_Agent.v2", "Support_Agent_v2"],
  ["a__b", "a_b"],
  ["2nd level.", "2nd_level_"],
  ["m² x̂", "m_x_"],
  ["ágens", "ágens"],
  ["日本 7", "日本_7"],
])("names the tool of %j %j", covers("call-mode.name-characters"), (agentName, toolName) => {
  expect(toolNameOf(agentName)).toBe(toolName);
});

it("puts one underscore for each run of other characters, and nothing for none", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (name) => {
      const toolName = toolNameOf(name);

      expect(toolName).toMatch(/^(?:[\p{L}\p{Nd}]|_(?!_))*$/u);
      expect(toolName.replaceAll("_", "")).toBe(name.replaceAll(/[^\p{L}\p{Nd}]/gu, ""));
      expect(toolNameOf(toolName)).toBe(toolName);
    }),
  );
});
