/** The MCP resources a definition adds to every run. */

import type { Requirement } from "./requirement.ts";

export const mcpResources: readonly Requirement[] = [
  {
    id: "mcp-resource.form",
    document: "004",
    section: "McpResourceUris",
    sentence: "An item of `mcpResourceUris` has the form `{server}:{uri}`.",
    status: "planned",
  },
  {
    id: "mcp-resource.read-at-start",
    document: "004",
    section: "McpResourceUris",
    sentence: "The listed MCP resources are read at the start of a run and added to its context.",
    status: "planned",
  },
  {
    id: "mcp-resource.same-for-every-run",
    document: "004",
    section: "McpResourceUris",
    sentence: "Every run of the agent receives the same listed MCP resources.",
    status: "planned",
  },
  {
    id: "mcp-resource.needs-mcp",
    document: "004",
    section: "McpResourceUris",
    sentence:
      "A definition with MCP resources fails to build on a host that has not registered MCP.",
    status: "planned",
  },
  {
    id: "mcp-resource.limit-each",
    document: "004",
    section: "McpResourceUris",
    sentence: "One MCP resource contributes at most 64 KB to a run.",
    status: "planned",
  },
  {
    id: "mcp-resource.limit-total",
    document: "004",
    section: "McpResourceUris",
    sentence: "All MCP resources of a run together contribute at most 256 KB.",
    status: "planned",
  },
];
