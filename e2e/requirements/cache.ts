/** When a compiled agent is used again and when it is built anew. */

import type { Requirement } from "./requirement.ts";

export const cache: readonly Requirement[] = [
  {
    id: "cache.key",
    document: "000",
    section: "Compiling a definition",
    sentence:
      "A compiled agent is cached by name, version and a fingerprint of what it depends on.",
    status: "built",
  },
  {
    id: "cache.skill-change-invalidates",
    document: "000",
    section: "Compiling a definition",
    sentence: "Changing a skill invalidates the agents that use it.",
    status: "planned",
  },
  {
    id: "cache.egress-change-invalidates",
    document: "000",
    section: "Compiling a definition",
    sentence: "Changing the egress policy of a tenant invalidates its compiled agents.",
    status: "planned",
  },
  {
    id: "cache.mcp-change-invalidates",
    document: "000",
    section: "Compiling a definition",
    sentence: "Changing an MCP server that serves a tool of an agent invalidates that agent.",
    status: "planned",
  },
  {
    id: "cache.next-run-compiles-again",
    document: "000",
    section: "Compiling a definition",
    sentence: "The next run after an invalidation compiles the agent again.",
    status: "built",
  },
  {
    id: "cache.per-tenant-name-definition",
    document: "000",
    section: "Agent extensions",
    sentence:
      "The compiled agent is kept per tenant, agent name and definition, and the runs that follow share it.",
    status: "built",
  },
  {
    id: "cache.tenant-key-not-cached",
    document: "000",
    section: "Agent extensions",
    sentence: "The agent of a tenant that holds a provider key of its own is not cached.",
    status: "planned",
  },
  {
    id: "cache.compares-content",
    document: "004",
    section: "Version",
    sentence:
      "The cache tells definitions apart by their content and not by their version number alone.",
    status: "built",
  },
];
