/**
 * Members of a definition whose feature this version does not have. They are refused with their
 * path, never ignored: an ignored setting is a wrong answer nobody notices.
 */

import {
  type AgentDefinitionContent,
  type Finding,
  finding,
  type HarnessSettings,
} from "@tracon/core";

type Rule = {
  readonly path: string;
  readonly feature: string;
  asks(definition: AgentDefinitionContent): boolean;
};

const DEFINITION_RULES: readonly Rule[] = [
  { path: "skillNames", feature: "skills", asks: (it) => it.skillNames.length > 0 },
  {
    path: "mcpResourceUris",
    feature: "MCP resources",
    asks: (it) => it.mcpResourceUris.length > 0,
  },
  {
    path: "compaction.strategy",
    feature: "compaction",
    asks: (it) => (it.compaction?.strategy ?? "None") !== "None",
  },
  {
    path: "memory.enableFileMemory",
    feature: "file memory",
    asks: (it) => it.memory?.enableFileMemory === true,
  },
  {
    path: "memory.enableTextSearch",
    feature: "text search",
    asks: (it) => it.memory?.enableTextSearch === true,
  },
  {
    path: "memory.enableVectorSearch",
    feature: "vector search",
    asks: (it) => it.memory?.enableVectorSearch === true,
  },
  { path: "workspace", feature: "the workspace", asks: (it) => it.workspace !== undefined },
];

type HarnessRule = {
  readonly path: string;
  readonly feature: string;
  asks(harness: HarnessSettings): boolean;
};

const HARNESS_RULES: readonly HarnessRule[] = [
  { path: "enableWebSearch", feature: "web search", asks: (it) => it.enableWebSearch },
  {
    path: "maxContextWindowTokens",
    feature: "compaction",
    asks: (it) => it.maxContextWindowTokens !== undefined,
  },
  {
    path: "maxOutputTokens",
    feature: "compaction",
    asks: (it) => it.maxOutputTokens !== undefined,
  },
];

/** One finding for each member this version does not have. */
export function unavailableMembers(definition: AgentDefinitionContent): Finding[] {
  const findings = DEFINITION_RULES.filter((rule) => rule.asks(definition)).map((rule) =>
    finding("feature_unavailable", rule.path, `this version does not have ${rule.feature}`),
  );
  return definition.harness === undefined
    ? findings
    : [...findings, ...unavailableInHarness(definition.harness)];
}

const unavailableInHarness = (harness: HarnessSettings): Finding[] =>
  HARNESS_RULES.filter((rule) => rule.asks(harness)).map(({ path, feature }) =>
    finding("feature_unavailable", `harness.${path}`, `this version does not have ${feature}`),
  );
