/** The kinds a definition can name, over HTTP. */

import type { Requirement } from "./requirement.ts";

export const loopCriteriaList: readonly Requirement[] = [
  {
    id: "loop-criteria-list.endpoint",
    document: "000",
    section: "List, edit, and validate a loop",
    sentence: "`GET /api/loop-criteria` answers every criterion kind that a definition may use.",
    status: "built",
  },
  {
    id: "loop-criteria-list.built-in-first",
    document: "000",
    section: "List, edit, and validate a loop",
    sentence:
      "The list has the five built-in kinds first and the kinds registered in code after them.",
    status: "built",
  },
  {
    id: "loop-criteria-list.descriptions",
    document: "000",
    section: "List, edit, and validate a loop",
    sentence: "Each kind in the list has its description.",
    status: "built",
  },
  {
    id: "loop-criteria-list.judge-model",
    document: "000",
    section: "List, edit, and validate a loop",
    sentence:
      "The list comes with the judge model that an `aiJudge` calls, as `provider` and `model` only.",
    status: "built",
  },
  {
    id: "loop-criteria-list.judge-null",
    document: "000",
    section: "List, edit, and validate a loop",
    sentence: "The judge model in the answer is `null` when the host bound none.",
    status: "built",
  },
  {
    id: "loop-criteria-list.runs-no-factory",
    document: "000",
    section: "List, edit, and validate a loop",
    sentence: "Listing the kinds runs no criterion factory.",
    status: "built",
  },
  {
    id: "loop-criteria-list.reader-role",
    document: "000",
    section: "List, edit, and validate a loop",
    sentence: "`GET /api/loop-criteria` needs the role Reader.",
    status: "planned",
  },
  {
    id: "loop-criteria-list.agents-read-scope",
    document: "000",
    section: "List, edit, and validate a loop",
    sentence: "An API key needs the scope `AgentsRead` for `GET /api/loop-criteria`.",
    status: "planned",
  },
  {
    id: "loop-criteria-list.console-loop-panel",
    document: "000",
    section: "List, edit, and validate a loop",
    sentence: "The console builds its loop panel from this list.",
    status: "built",
  },
];
