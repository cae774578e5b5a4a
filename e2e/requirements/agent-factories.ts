/** Agents that code builds itself. */

import type { Requirement } from "./requirement.ts";

export const agentFactories: readonly Requirement[] = [
  {
    id: "agent-factory.returns-own-agent",
    document: "000",
    section: "Where agents come from",
    sentence:
      "A factory registered under a name is a code agent, and the agent it returns, built in any way, answers the runs.",
    status: "built",
  },
  {
    id: "agent-factory.decorated",
    document: "000",
    section: "Where agents come from",
    sentence: "Recording, telemetry and approval apply to a factory agent.",
    status: "planned",
  },
  {
    id: "agent-factory.runs-on-every-resolve",
    document: "000",
    section: "Where agents come from",
    sentence: "The factory is called each time the agent is resolved.",
    status: "built",
  },
  {
    id: "agent-factory.bypasses-compiler",
    document: "000",
    section: "Where agents come from",
    sentence: "The agent of a factory does not pass through the compiler.",
    status: "built",
  },
  {
    id: "agent-factory.registry-client-keeps-rings",
    document: "000",
    section: "Where agents come from",
    sentence:
      "A factory that takes its chat client from the model provider registry keeps budget, circuit breaker, fallback, response cache, content guard and `chat` span.",
    status: "built",
  },
  {
    id: "agent-factory.own-client-has-no-rings",
    document: "000",
    section: "Where agents come from",
    sentence: "A factory that brings a chat client of its own gets none of the model rings.",
    status: "built",
  },
  {
    id: "agent-factory.registry-client-is-tenantless",
    document: "000",
    section: "Where agents come from",
    sentence:
      "The synchronous registry call of a factory applies neither the tenant's provider key nor the egress policy.",
    status: "planned",
  },
  {
    id: "agent-factory.records-no-model-and-cost",
    document: "000",
    section: "Where agents come from",
    sentence: "A run of a factory agent records no model and so has no cost.",
    status: "built",
  },
  {
    id: "agent-factory.source-applies-tenant-rules",
    document: "000",
    section: "Where agents come from",
    sentence:
      "A custom source that builds its client asynchronously through the registry gets the tenant's provider key and is held to the egress policy.",
    status: "planned",
  },
  {
    id: "agent-factory.source-names-model-for-cost",
    document: "000",
    section: "Where agents come from",
    sentence:
      "A custom source that names the model in its agent descriptor gets model and cost recorded.",
    status: "built",
  },
  {
    id: "agent-factory.foreign-client-warned-once",
    document: "000",
    section: "Where agents come from",
    sentence:
      "A factory agent whose chat client does not come from the registry causes one warning in the log per agent name.",
    status: "built",
  },
];
