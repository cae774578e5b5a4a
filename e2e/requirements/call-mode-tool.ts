/** Callable agents as one tool each. */

import type { Requirement } from "./requirement.ts";

export const callModeTool: readonly Requirement[] = [
  {
    id: "call-mode.one-tool-per-agent",
    document: "000",
    section: "One tool for each agent",
    sentence: "With `subAgents.callMode` set to `Tool` each callable agent is one tool.",
    status: "built",
  },
  {
    id: "call-mode.tool-named-after-agent",
    document: "000",
    section: "One tool for each agent",
    sentence: "In `Tool` mode the tool carries the name of the agent.",
    status: "built",
  },
  {
    id: "call-mode.one-call-runs-and-answers",
    document: "000",
    section: "One tool for each agent",
    sentence: "In `Tool` mode one tool call runs the sub-agent and answers with its text.",
    status: "built",
  },
  {
    id: "call-mode.no-background-tools",
    document: "000",
    section: "One tool for each agent",
    sentence: "In `Tool` mode the model sees none of the `background_agents_*` tools.",
    status: "built",
  },
  {
    id: "call-mode.default-is-background-tasks",
    document: "000",
    section: "One tool for each agent",
    sentence: "An agent that sets no call mode uses background tasks.",
    status: "built",
  },
  {
    id: "call-mode.two-model-calls",
    document: "000",
    section: "One tool for each agent",
    sentence: "In `Tool` mode a question passed to one agent takes the caller two model calls.",
    status: "built",
  },
  {
    id: "call-mode.child-cost-unchanged",
    document: "000",
    section: "One tool for each agent",
    sentence: "The sub-agent makes the same model calls in both modes.",
    status: "built",
  },
  {
    id: "call-mode.part-of-definition",
    document: "000",
    section: "One tool for each agent",
    sentence:
      "The call mode travels with the definition: versions, rollbacks and experiment arms keep it.",
    status: "built",
  },
  {
    id: "call-mode.editor-edits-mode",
    document: "000",
    section: "One tool for each agent",
    sentence: "The agent editor of the console shows and sets the call mode.",
    status: "built",
  },
  {
    id: "call-mode.chat-and-harness",
    document: "000",
    section: "One tool for each agent",
    sentence: "The call mode applies to chat agents and to harness agents.",
    status: "built",
  },
  {
    id: "call-mode.depth-limit-applies",
    document: "000",
    section: "One tool for each agent",
    sentence: "The depth limit holds in `Tool` mode.",
    status: "built",
  },
  {
    id: "call-mode.tree-budget-applies",
    document: "000",
    section: "One tool for each agent",
    sentence: "The budget of the tree holds in `Tool` mode.",
    status: "built",
  },
  {
    id: "call-mode.tenant-check-applies",
    document: "000",
    section: "One tool for each agent",
    sentence: "The tenant check holds in `Tool` mode.",
    status: "built",
  },
  {
    id: "call-mode.wait-limits-apply",
    document: "000",
    section: "One tool for each agent",
    sentence: "The two wait limits hold in `Tool` mode.",
    status: "built",
  },
  {
    id: "call-mode.child-approval-refused",
    document: "000",
    section: "One tool for each agent",
    sentence: "A child that needs tool approval is refused in `Tool` mode.",
    status: "built",
  },
  {
    id: "call-mode.refusal-is-tool-result",
    document: "000",
    section: "One tool for each agent",
    sentence: "Each refusal comes back to the model as the result of the tool call.",
    status: "built",
  },
  {
    id: "call-mode.child-run-linked",
    document: "000",
    section: "One tool for each agent",
    sentence: "The sub-agent keeps a run record of its own with `parentRunId` set to the caller.",
    status: "built",
  },
  {
    id: "call-mode.child-events-on-caller",
    document: "000",
    section: "One tool for each agent",
    sentence: "The caller's stream carries `child.started` and `child.completed`.",
    status: "built",
  },
  {
    id: "call-mode.name-characters",
    document: "000",
    section: "One tool for each agent",
    sentence:
      "Each run of characters other than letters and digits in the agent name becomes one underscore in the tool name.",
    status: "built",
  },
  {
    id: "call-mode.name-conflict-with-tool",
    document: "000",
    section: "One tool for each agent",
    sentence:
      "A tool name already used by a tool in `toolNames` is refused with `sub_agent_tool_name_conflict`.",
    status: "built",
  },
  {
    id: "call-mode.name-conflict-with-skill-tool",
    document: "000",
    section: "One tool for each agent",
    sentence:
      "A tool name already used by a skill tool is refused with `sub_agent_tool_name_conflict`.",
    status: "built",
  },
  {
    id: "call-mode.name-conflict-with-search-knowledge",
    document: "000",
    section: "One tool for each agent",
    sentence:
      "The tool name `search_knowledge` is refused with `sub_agent_tool_name_conflict` while semantic search is on.",
    status: "built",
  },
  {
    id: "call-mode.search-knowledge-free-otherwise",
    document: "000",
    section: "One tool for each agent",
    sentence: "The tool name `search_knowledge` is free while semantic search is off.",
    status: "built",
  },
  {
    id: "call-mode.name-conflict-with-other-agent",
    document: "000",
    section: "One tool for each agent",
    sentence:
      "Two callable agents that yield the same tool name are refused with `sub_agent_tool_name_conflict`.",
    status: "built",
  },
  {
    id: "call-mode.name-conflict-path",
    document: "000",
    section: "One tool for each agent",
    sentence: "The finding `sub_agent_tool_name_conflict` has the path `callableAgents[i].name`.",
    status: "built",
  },
  {
    id: "call-mode.name-conflict-save-400",
    document: "000",
    section: "One tool for each agent",
    sentence: "Saving a definition with such a conflict answers `400` and names both sides.",
    status: "built",
  },
  {
    id: "call-mode.name-conflict-fails-compile",
    document: "000",
    section: "One tool for each agent",
    sentence:
      "A definition in code with such a conflict fails the compilation with the same message.",
    status: "built",
  },
  {
    id: "call-mode.skips-tool-chain",
    document: "000",
    section: "One tool for each agent",
    sentence: "The agent tool is not authorized, approved or timed as a tool.",
    status: "built",
  },
  {
    id: "call-mode.child-tools-keep-chain",
    document: "000",
    section: "One tool for each agent",
    sentence: "The tools of the sub-agent keep their own authorization and approval.",
    status: "built",
  },
  {
    id: "call-mode.recorded-as-tool-call",
    document: "000",
    section: "One tool for each agent",
    sentence: "The run of the caller records the call as one of its tool calls.",
    status: "built",
  },
  {
    id: "call-mode.failure-text",
    document: "000",
    section: "One tool for each agent",
    sentence:
      "A sub-agent that fails, for example because its model provider is down, answers `Agent '<name>' could not complete:` followed by the reason.",
    status: "built",
  },
  {
    id: "call-mode.missing-agent-is-failure-text",
    document: "000",
    section: "One tool for each agent",
    sentence: "A call of an agent that no longer exists answers with the failure text.",
    status: "built",
  },
  {
    id: "call-mode.reason-names-provider-and-fault",
    document: "000",
    section: "One tool for each agent",
    sentence:
      "For a provider failure the reason gives provider and kind of fault, but no text of the provider.",
    status: "built",
  },
  {
    id: "call-mode.failure-is-no-failed-tool-turn",
    document: "000",
    section: "One tool for each agent",
    sentence:
      "A failed sub-agent does not count as a failed tool turn, so retries do not end the run of the caller.",
    status: "built",
  },
  {
    id: "call-mode.foreign-error-generic",
    document: "000",
    section: "One tool for each agent",
    sentence:
      "An error that is not the platform's own reaches the model as `Error: Function failed.`",
    status: "built",
  },
  {
    id: "call-mode.single-query-argument",
    document: "000",
    section: "One tool for each agent",
    sentence: "The agent tool takes one argument, `query`.",
    status: "built",
  },
  {
    id: "call-mode.empty-query-fails-before-start",
    document: "000",
    section: "One tool for each agent",
    sentence:
      "With an empty `query` no sub-agent starts; the call fails and the model gets a generic tool error.",
    status: "built",
  },
  {
    id: "call-mode.two-agents-sequential-by-default",
    document: "000",
    section: "One tool for each agent",
    sentence:
      "Two agent tools called in one turn run one after the other unless concurrency is on.",
    status: "built",
  },
  {
    id: "call-mode.two-agents-concurrent-when-on",
    document: "000",
    section: "One tool for each agent",
    sentence:
      "Two agent tools called in one turn run at the same time when `model.toolLoop.allowConcurrentToolCalls` is on.",
    status: "built",
  },
];
