/** Which skills an agent sees and which of their tools ask first. */

import type { Requirement } from "./requirement.ts";

export const skills: readonly Requirement[] = [
  {
    id: "skill.loadable-at-run-time",
    document: "004",
    section: "SkillNames",
    sentence: "The skills in `skillNames` are the ones the agent can load while it runs.",
    status: "planned",
  },
  {
    id: "skill.must-be-enabled",
    document: "004",
    section: "SkillNames",
    sentence: "A skill name must match an enabled skill, or building the agent fails.",
    status: "planned",
  },
  {
    id: "skill.from-code-or-store",
    document: "004",
    section: "SkillNames",
    sentence: "A skill name is looked for among the skills in code and in the skill store.",
    status: "planned",
  },
  {
    id: "skill.null-settings-ask-for-all",
    document: "004",
    section: "Skills",
    sentence: "An agent whose `skills` is null asks for approval of all three skill tools.",
    status: "planned",
  },
  {
    id: "skill.settings-ignored-without-names",
    document: "004",
    section: "Skills",
    sentence: "`skills` has no effect while `skillNames` is empty.",
    status: "planned",
  },
  {
    id: "skill.exposure-needs-read-approval-off",
    document: "004",
    section: "Skills",
    sentence:
      "An agent with skills that is exposed over A2A or MCP must set `skills.disableReadApproval`, or the host refuses to expose it.",
    status: "planned",
  },
  {
    id: "skill.tools-ask-by-default",
    document: "000",
    section: "What a harness agent turns on",
    sentence: "The skill tools ask for approval unless the definition says otherwise.",
    status: "planned",
  },
  {
    id: "skill.read-approval-off",
    document: "000",
    section: "What a harness agent turns on",
    sentence:
      "`skills.disableReadApproval` lets `load_skill` and `read_skill_resource` run without approval.",
    status: "planned",
  },
  {
    id: "skill.third-tool-keeps-asking",
    document: "000",
    section: "What a harness agent turns on",
    sentence: "`skills.disableReadApproval` leaves the approval of the third skill tool on.",
    status: "planned",
    note: "Follows from the two tools the document lists and the three tools document 004 counts.",
  },
];
