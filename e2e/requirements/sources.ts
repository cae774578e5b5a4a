/** Where agents come from and who wins a name. */

import type { Requirement } from "./requirement.ts";

export const sources: readonly Requirement[] = [
  {
    id: "source.merged-catalog",
    document: "000",
    section: "Where agents come from",
    sentence: "The catalog merges the agents of code, database and custom sources into one list.",
    status: "built",
  },
  {
    id: "source.resolves-by-name",
    document: "000",
    section: "Where agents come from",
    sentence: "The catalog resolves an agent of any source by its name.",
    status: "built",
  },
  {
    id: "source.priority-order",
    document: "000",
    section: "Where agents come from",
    sentence:
      "Sources are asked in the order of their priority, and a lower priority value wins a name clash.",
    status: "built",
    note: "The text says that the higher priority wins and the diagram that lower values win: a lower value is a higher priority.",
  },
  {
    id: "source.loser-dropped-from-list",
    document: "000",
    section: "Where agents come from",
    sentence: "The agent that loses a name clash does not appear in the list.",
    status: "built",
  },
  {
    id: "source.code-wins",
    document: "000",
    section: "Where agents come from",
    sentence: "An agent registered in code wins over a stored one of the same name.",
    status: "built",
  },
  {
    id: "source.code-name-refused-409",
    document: "000",
    section: "Where agents come from",
    sentence: "Saving a definition under the name of a code agent answers `409`.",
    status: "built",
  },
  {
    id: "source.code-agent-keeps-no-versions",
    document: "000",
    section: "Where agents come from",
    sentence: "Nothing is stored for a code-defined agent, neither a definition nor versions.",
    status: "built",
  },
  {
    id: "source.code-agent-detail",
    document: "000",
    section: "Where agents come from",
    sentence:
      "`GET /api/agents/{name}` finds a code-defined agent: `200`, `definition: null`, `isEditable: false`.",
    status: "built",
    note: "Decided for a definition registered in code as well as for a factory.",
  },
  {
    id: "source.console-offers-edit-by-flag",
    document: "000",
    section: "Where agents come from",
    sentence: "The console offers the edit form only when `isEditable` is true.",
    status: "built",
  },
  {
    id: "source.custom-source",
    document: "000",
    section: "Where agents come from",
    sentence:
      "A custom source can serve definitions that are stored elsewhere and agents that another runtime owns.",
    status: "built",
  },
  {
    id: "source.custom-source-visible",
    document: "000",
    section: "Where agents come from",
    sentence: "Agents of a custom source appear in the console.",
    status: "built",
  },
  {
    id: "source.custom-source-read-only",
    document: "000",
    section: "Where agents come from",
    sentence: "Agents of a custom source cannot be changed through the management API.",
    status: "built",
  },
];
