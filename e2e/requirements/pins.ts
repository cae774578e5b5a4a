/** A callable agent held at one version. */

import type { Requirement } from "./requirement.ts";

export const pins: readonly Requirement[] = [
  {
    id: "pin.unpinned-runs-current",
    document: "000",
    section: "Pin a callable agent to a version",
    sentence:
      "A callable agent without a version is resolved to its current version at each call, so an edit reaches the caller at the next call.",
    status: "built",
  },
  {
    id: "pin.name-is-unpinned-reference",
    document: "000",
    section: "Pin a callable agent to a version",
    sentence: "A bare name in a definition in code is a reference without a version.",
    status: "built",
  },
  {
    id: "pin.wire-form",
    document: "000",
    section: "Pin a callable agent to a version",
    sentence:
      "Over HTTP `callableAgents` is a list of `{ name, version }` objects, and `version` may be left out.",
    status: "built",
  },
  {
    id: "pin.console-select",
    document: "000",
    section: "Pin a callable agent to a version",
    sentence: "The console shows a version select under each checked agent that has versions.",
    status: "built",
  },
  {
    id: "pin.content-of-version",
    document: "000",
    section: "Pin a callable agent to a version",
    sentence: "A pinned callee runs the instructions, the model and the tools of its version.",
    status: "built",
  },
  {
    id: "pin.child-run-records-version",
    document: "000",
    section: "Pin a callable agent to a version",
    sentence: "The child run of a pinned callee records the pinned version.",
    status: "built",
  },
  {
    id: "pin.description-of-version",
    document: "000",
    section: "Pin a callable agent to a version",
    sentence: "The calling model reads the description of a stored callee from the pinned version.",
    status: "built",
  },
  {
    id: "pin.both-call-modes",
    document: "000",
    section: "Pin a callable agent to a version",
    sentence: "A pin holds in both call modes.",
    status: "built",
  },
  {
    id: "pin.custom-source-current-description",
    document: "000",
    section: "Pin a callable agent to a version",
    sentence: "A pinned callee of a custom source keeps its current description.",
    status: "built",
  },
  {
    id: "pin.custom-source-decides-version",
    document: "000",
    section: "Pin a callable agent to a version",
    sentence: "A custom source decides whether it has the pinned version.",
    status: "built",
    note: "Another sentence says that only stored agents have versions; a custom source may still answer for one.",
  },
  {
    id: "pin.new-version-keeps-caller",
    document: "000",
    section: "Pin a callable agent to a version",
    sentence: "A new version of a pinned callee leaves the compiled caller in use.",
    status: "built",
  },
  {
    id: "pin.unpinned-caller-recompiled",
    document: "000",
    section: "Pin a callable agent to a version",
    sentence: "A caller without a pin is compiled again when the callee changes.",
    status: "built",
  },
  {
    id: "pin.workflow-pinned-caller",
    document: "000",
    section: "Pin a callable agent to a version",
    sentence:
      "A caller pinned by a workflow step runs the callee versions that its own pinned version names.",
    status: "planned",
  },
  {
    id: "pin.approval-pinned-caller",
    document: "000",
    section: "Pin a callable agent to a version",
    sentence:
      "A caller resumed after an approval runs the callee versions that its own pinned version names.",
    status: "planned",
  },
  {
    id: "pin.old-parent-without-pin",
    document: "000",
    section: "Pin a callable agent to a version",
    sentence:
      "A caller pinned to an old version does not run a callee version that only a newer version of the caller names.",
    status: "built",
  },
  {
    id: "pin.entry-only",
    document: "000",
    section: "Pin a callable agent to a version",
    sentence: "A pin has no effect beyond its own entry in the list.",
    status: "built",
  },
  {
    id: "pin.experiment-arm-not-passed-on",
    document: "000",
    section: "Pin a callable agent to a version",
    sentence:
      "An experiment arm applies to the agent it was set on and not to the agents that agent calls.",
    status: "planned",
  },
  {
    id: "pin.code-agent-refused",
    document: "000",
    section: "Pin a callable agent to a version",
    sentence: "Pinning an agent defined in code is refused.",
    status: "built",
  },
  {
    id: "pin.graph-reads-current-versions",
    document: "000",
    section: "Pin a callable agent to a version",
    sentence:
      "The call graph and the cycle check read the current versions of the callees, whatever is pinned.",
    status: "built",
  },
  {
    id: "pin.pinned-cycle-refused",
    document: "000",
    section: "Pin a callable agent to a version",
    sentence: "Saving refuses a cycle that only a pinned older version closes.",
    status: "built",
    note: "The document leaves such a cycle to the depth limit, after the model calls it spent; see docs/decisions/011.",
  },
  {
    id: "pin.pinned-cycle-stopped-by-depth",
    document: "000",
    section: "Pin a callable agent to a version",
    sentence: "A cycle through a pinned older version is stopped by the depth limit while it runs.",
    status: "built",
  },
  {
    id: "pin.current-cycle-refused-despite-pin",
    document: "000",
    section: "Pin a callable agent to a version",
    sentence:
      "A definition can be refused for a cycle of the current version that its pinned version does not close.",
    status: "built",
  },
  {
    id: "pin.save-400",
    document: "000",
    section: "Pin a callable agent to a version",
    sentence: "Saving a definition with an invalid pin answers `400`.",
    status: "built",
  },
  {
    id: "pin.validate-reports-each",
    document: "000",
    section: "Pin a callable agent to a version",
    sentence: "`POST /api/agents/validate` reports every invalid pin with the path of its entry.",
    status: "built",
  },
  {
    id: "pin.version-below-one",
    document: "000",
    section: "Pin a callable agent to a version",
    sentence:
      "A version below 1 is reported as `callable_agent_version_invalid` at `callableAgents[i].version`.",
    status: "built",
  },
  {
    id: "pin.version-of-code-agent",
    document: "000",
    section: "Pin a callable agent to a version",
    sentence:
      "A version of a callee defined in code is reported as `callable_agent_version_invalid` at `callableAgents[i].version`.",
    status: "built",
  },
  {
    id: "pin.version-not-found",
    document: "000",
    section: "Pin a callable agent to a version",
    sentence:
      "A version the callee does not have is reported as `callable_agent_version_not_found` at `callableAgents[i].version`.",
    status: "built",
  },
  {
    id: "pin.duplicate-name",
    document: "000",
    section: "Pin a callable agent to a version",
    sentence:
      "A name listed more than once is reported as `callable_agent_duplicate` at `callableAgents[i].name`.",
    status: "built",
  },
  {
    id: "pin.compile-repeats-check",
    document: "000",
    section: "Pin a callable agent to a version",
    sentence: "Compiling checks the pins again, because a callee can be deleted after the save.",
    status: "built",
  },
  {
    id: "pin.deleted-callee-fails",
    document: "000",
    section: "Pin a callable agent to a version",
    sentence:
      "A pin on a version of a callee that was deleted and created again fails and never runs the new text.",
    status: "built",
  },
  {
    id: "pin.missing-version-message",
    document: "000",
    section: "Pin a callable agent to a version",
    sentence:
      "The failure of a missing pin reads `Agent '<caller>' pins callable agent '<callee>' to version <n>, but the agent has no version <n>`.",
    status: "built",
  },
  {
    id: "pin.old-field-refused",
    document: "000",
    section: "Pin a callable agent to a version",
    sentence: "A body with `callableAgentNames` is refused with `400` naming `callableAgents`.",
    status: "built",
  },
  {
    id: "pin.old-row-reads-unpinned",
    document: "000",
    section: "Pin a callable agent to a version",
    sentence:
      "A stored definition with the old list of names reads as entries without a version, so nothing needs a migration.",
    status: "built",
  },
  {
    id: "pin.old-row-rewritten-on-save",
    document: "000",
    section: "Pin a callable agent to a version",
    sentence: "A stored definition of the old shape takes the new shape the next time it is saved.",
    status: "built",
  },
];
