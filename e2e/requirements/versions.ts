/** Saving, reading, comparing and restoring versions. */

import type { Requirement } from "./requirement.ts";

export const versions: readonly Requirement[] = [
  {
    id: "version.save-appends",
    document: "000",
    section: "Versions",
    sentence: "Every save appends a version and overwrites none.",
    status: "built",
  },
  {
    id: "version.history-never-rewritten",
    document: "000",
    section: "Versions",
    sentence: "No operation changes the content of an existing version.",
    status: "built",
  },
  {
    id: "version.list-newest-first",
    document: "000",
    section: "Versions",
    sentence:
      "`GET /api/agents/{name}/versions` answers whole definitions, not differences, with the newest first.",
    status: "built",
  },
  {
    id: "version.diff-both-snapshots",
    document: "000",
    section: "Versions",
    sentence:
      "`GET /api/agents/{name}/versions/{a}/diff/{b}` answers both definitions word for word and leaves the comparison to the client.",
    status: "built",
  },
  {
    id: "version.rollback-writes-new-version",
    document: "000",
    section: "Versions",
    sentence: "`POST /api/agents/{name}/rollback` saves the old content as a new version.",
    status: "built",
  },
  {
    id: "version.rollback-audited",
    document: "000",
    section: "Versions",
    sentence: "A rollback stands in the audit trail and can itself be rolled back.",
    status: "planned",
  },
  {
    id: "version.never-reused",
    document: "000",
    section: "Versions",
    sentence: "A name never gets the same version number twice.",
    status: "built",
    note: "Document 004 says that numbering restarts at 1 after a delete; see docs/decisions/005.",
  },
  {
    id: "version.delete-removes-all",
    document: "000",
    section: "Versions",
    sentence: "`DELETE /api/agents/{name}` removes the definition and all its versions.",
    status: "built",
  },
  {
    id: "version.recreate-continues-numbering",
    document: "000",
    section: "Versions",
    sentence:
      "An agent created again after a delete starts one above the highest version its name ever had.",
    status: "built",
    note: "Document 004 says that it starts again at 1; see docs/decisions/005.",
  },
  {
    id: "version.deleted-versions-stay-gone",
    document: "000",
    section: "Versions",
    sentence: "The version numbers of a deleted agent name nothing after it is created again.",
    status: "built",
  },
  {
    id: "version.stale-workflow-pin-stops",
    document: "000",
    section: "Versions",
    sentence: "A workflow step pinned to a deleted version stops because there is no such version.",
    status: "planned",
  },
  {
    id: "version.stale-reviewer-pin-stops",
    document: "000",
    section: "Versions",
    sentence: "A loop reviewer pinned to a deleted version stops because there is no such version.",
    status: "planned",
  },
  {
    id: "version.stale-experiment-arm-stops",
    document: "000",
    section: "Versions",
    sentence: "An experiment arm on a deleted version stops because there is no such version.",
    status: "planned",
  },
  {
    id: "version.stale-approval-stops",
    document: "000",
    section: "Versions",
    sentence:
      "An approval that waited on a deleted version stops because there is no such version.",
    status: "built",
  },
  {
    id: "version.experiment-splits-versions",
    document: "000",
    section: "Versions",
    sentence: "An experiment splits the runs of one agent between two of its versions.",
    status: "planned",
  },
  {
    id: "version.code-agent-no-experiment",
    document: "000",
    section: "Versions",
    sentence: "An experiment on a code-defined agent is refused.",
    status: "planned",
  },
  {
    id: "version.workflow-step-pin",
    document: "000",
    section: "Versions",
    sentence:
      "A workflow step can pin a version of a stored agent and keeps running it while the agent is edited.",
    status: "planned",
  },
  {
    id: "version.code-agent-no-pin",
    document: "000",
    section: "Versions",
    sentence: "A workflow step cannot pin a version of a code-defined agent.",
    status: "planned",
  },
  {
    id: "version.store-owns-number",
    document: "004",
    section: "Version",
    sentence:
      "The store assigns the version number, one higher at each save, and a `version` in an incoming definition is ignored.",
    status: "built",
  },
  {
    id: "version.identity-by-content",
    document: "004",
    section: "Version",
    sentence: "Two definitions are told apart by content and never by name and version alone.",
    status: "built",
    note: "Document 004 derives this from numbers that repeat after a delete; numbers do not repeat here, but the rule holds for caches.",
  },
];
