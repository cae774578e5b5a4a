/** What a harness turns on by itself and what only on request. */

import type { Requirement } from "./requirement.ts";

export const harness: readonly Requirement[] = [
  {
    id: "harness.compaction-on",
    document: "000",
    section: "What a harness agent turns on",
    sentence: "A `harness` object turns context compaction on.",
    status: "planned",
    note: "Document 004 says that nothing is compacted while `compaction` is null; both leave open what a harness agent then compacts with. Until compaction is there, a harness that names no token numbers compiles and shortens nothing; one that names them is refused.",
  },
  {
    id: "harness.todo-on",
    document: "000",
    section: "What a harness agent turns on",
    sentence: "A `harness` object turns todo tracking on.",
    status: "built",
  },
  {
    id: "harness.agent-mode-on",
    document: "000",
    section: "What a harness agent turns on",
    sentence: "A `harness` object turns the agent mode provider on.",
    status: "built",
    note: "Document 003 says that no modes are configured for it, see `loop-criterion.todo-no-configured-modes`.",
  },
  {
    id: "harness.only-named-skills",
    document: "000",
    section: "What a harness agent turns on",
    sentence:
      "A harness agent sees the skills in `skillNames` and no other, and none when the list is empty.",
    status: "planned",
  },
  {
    id: "harness.no-skill-scan",
    document: "000",
    section: "What a harness agent turns on",
    sentence:
      "A harness agent never reads `SKILL.md` files from the working directory of the server.",
    status: "planned",
  },
  {
    id: "harness.file-memory-off-by-default",
    document: "000",
    section: "What a harness agent turns on",
    sentence: "File memory is off unless `memory.enableFileMemory` is set.",
    status: "planned",
  },
  {
    id: "harness.file-memory-on-registered-store",
    document: "000",
    section: "What a harness agent turns on",
    sentence: "File memory works on the registered agent file store.",
    status: "planned",
  },
  {
    id: "harness.file-memory-not-in-working-directory",
    document: "000",
    section: "What a harness agent turns on",
    sentence: "File memory never writes below the working directory of the server.",
    status: "planned",
  },
  {
    id: "harness.web-search-off-by-default",
    document: "000",
    section: "What a harness agent turns on",
    sentence:
      "Web search is off unless `harness.enableWebSearch` is set, also for a harness agent.",
    status: "planned",
  },
  {
    id: "harness.web-search-is-hosted",
    document: "000",
    section: "What a harness agent turns on",
    sentence: "`harness.enableWebSearch` turns on the hosted search of the model provider.",
    status: "planned",
  },
  {
    id: "harness.skills-conflict",
    document: "000",
    section: "What a harness agent turns on",
    sentence:
      "A definition with `skillNames` and `harness.disableAgentSkillsProvider` is a compilation error.",
    status: "built",
  },
  {
    id: "harness.file-memory-conflict",
    document: "000",
    section: "What a harness agent turns on",
    sentence:
      "A definition with `memory.enableFileMemory` and `harness.disableFileMemory` is a compilation error.",
    status: "built",
  },
  {
    id: "harness.web-search-conflict",
    document: "000",
    section: "What a harness agent turns on",
    sentence:
      "A definition with `harness.enableWebSearch` and `harness.disableWebSearch` is a compilation error.",
    status: "built",
  },
  {
    id: "harness.web-search-runs-at-provider",
    document: "000",
    section: "What a harness agent turns on",
    sentence: "Hosted web search is executed and billed by the model provider.",
    status: "planned",
  },
  {
    id: "harness.web-search-openai-search-models-only",
    document: "000",
    section: "What a harness agent turns on",
    sentence:
      "The provider `openai` accepts hosted web search for its search models only and answers `400` for any other.",
    status: "planned",
  },
  {
    id: "harness.web-search-openai-responses-any-model",
    document: "000",
    section: "What a harness agent turns on",
    sentence: "The provider `openai-responses` accepts hosted web search for every model.",
    status: "planned",
  },
  {
    id: "harness.inner-ceiling-bounds-tool-loop",
    document: "000",
    section: "What a harness agent turns on",
    sentence: "`harness.maximumIterationsPerRequest` bounds the tool-call loop of one invocation.",
    status: "built",
  },
  {
    id: "harness.inner-ceiling-on-fallback",
    document: "000",
    section: "What a harness agent turns on",
    sentence:
      "`harness.maximumIterationsPerRequest` also bounds the loop when a fallback model answers.",
    status: "built",
  },
  {
    id: "harness.inner-ceiling-last-call-without-tools",
    document: "000",
    section: "What a harness agent turns on",
    sentence:
      "The last model call at the inner ceiling is made without function tools, so it has to be an answer.",
    status: "built",
  },
];
