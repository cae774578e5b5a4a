/** The run tree that grows when agents call agents. */

import type { Requirement } from "./requirement.ts";

export const callableAgents: readonly Requirement[] = [
  {
    id: "callable-agent.child-invokers",
    document: "000",
    section: "Agents calling agents",
    sentence:
      "Each agent in `callableAgents` becomes something the calling model can start a child run with.",
    status: "built",
  },
  {
    id: "callable-agent.background-tasks-default",
    document: "000",
    section: "Agents calling agents",
    sentence: "By default the model starts a task, waits for it, reads its result and clears it.",
    status: "built",
  },
  {
    id: "callable-agent.children-run-at-depth-plus-one",
    document: "000",
    section: "Agents calling agents",
    sentence: "The root run has depth 0, and an agent it calls runs at depth 1.",
    status: "built",
  },
  {
    id: "callable-agent.child-has-own-run",
    document: "000",
    section: "Agents calling agents",
    sentence: "An allowed child call has a run record of its own.",
    status: "built",
  },
  {
    id: "callable-agent.refused-call-readable",
    document: "000",
    section: "Agents calling agents",
    sentence:
      "A refused child call comes back to the model as a readable error in the tool result and creates no run record.",
    status: "built",
  },
  {
    id: "callable-agent.started-event",
    document: "000",
    section: "Agents calling agents",
    sentence: "Starting a child writes `child.started` to the stream of its caller.",
    status: "built",
    note: "One passage says root stream, another the caller's stream; for a deeper child this entry takes the caller's stream.",
  },
  {
    id: "callable-agent.completed-event",
    document: "000",
    section: "Agents calling agents",
    sentence: "The end of a child writes `child.completed` to the stream of its caller.",
    status: "built",
    note: "One passage says root stream, another the caller's stream; for a deeper child this entry takes the caller's stream.",
  },
  {
    id: "callable-agent.depth-checked",
    document: "000",
    section: "Agents calling agents",
    sentence: "A child call beyond the depth limit is refused.",
    status: "built",
  },
  {
    id: "callable-agent.budget-checked",
    document: "000",
    section: "Agents calling agents",
    sentence: "A child call that the budget of the tree does not allow is refused.",
    status: "built",
  },
  {
    id: "callable-agent.shared-budget",
    document: "000",
    section: "Agents calling agents",
    sentence:
      "All runs of a tree share one budget, so a tree spends no more than a single run is allowed.",
    status: "built",
  },
  {
    id: "callable-agent.shared-trace-id",
    document: "000",
    section: "Agents calling agents",
    sentence: "All runs of a tree share one trace id, and only the root run owns the trace buffer.",
    status: "built",
  },
  {
    id: "callable-agent.same-tenant",
    document: "000",
    section: "Agents calling agents",
    sentence: "A child runs in the tenant of its caller.",
    status: "built",
  },
  {
    id: "callable-agent.tenant-change-refused",
    document: "000",
    section: "Agents calling agents",
    sentence: "A child call that would change the tenant is refused.",
    status: "built",
  },
  {
    id: "callable-agent.child-cannot-ask-approval",
    document: "000",
    section: "Agents calling agents",
    sentence: "A child run that needs an approval fails.",
    status: "built",
  },
  {
    id: "callable-agent.tree-readable-from-any-member",
    document: "000",
    section: "Agents calling agents",
    sentence: "`GET /api/runs/{runId}/tree` answers the whole tree for any run in it.",
    status: "built",
  },
  {
    id: "callable-agent.background-tasks-in-parallel",
    document: "000",
    section: "One tool for each agent",
    sentence: "Background tasks of one agent run in parallel.",
    status: "built",
  },
  {
    id: "callable-agent.background-tools",
    document: "000",
    section: "One tool for each agent",
    sentence:
      "In background mode six `background_agents_*` tools and their instructions go to the model on every turn.",
    status: "built",
  },
  {
    id: "callable-agent.background-failure-text",
    document: "000",
    section: "One tool for each agent",
    sentence: "A background task that fails reports `Task failed:` with its reason.",
    status: "built",
  },
  {
    id: "callable-agent.every-name-in-catalog",
    document: "004",
    section: "CallableAgents",
    sentence: "Every name in `callableAgents` must be an agent of the catalog.",
    status: "built",
  },
  {
    id: "callable-agent.self-call-rejected",
    document: "004",
    section: "CallableAgents",
    sentence: "Saving a definition that calls itself is rejected.",
    status: "built",
  },
  {
    id: "callable-agent.indirect-cycle-rejected",
    document: "004",
    section: "CallableAgents",
    sentence: "Saving a definition that closes a cycle over other agents is rejected.",
    status: "built",
  },
  {
    id: "callable-agent.runtime-depth-counter",
    document: "004",
    section: "CallableAgents",
    sentence:
      "A depth counter stops call chains that the check at save cannot see, such as those through factory agents.",
    status: "built",
  },
];
