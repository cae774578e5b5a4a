/** Middleware an extension puts around the model. */

import type { Requirement } from "./requirement.ts";

export const extensionRings: readonly Requirement[] = [
  {
    id: "extension-ring.added-by-extension",
    document: "000",
    section: "Agent extensions",
    sentence: "An extension can put a ring into the model pipeline with `useChatClient`.",
    status: "built",
  },
  {
    id: "extension-ring.model-call-inside-tool-loop",
    document: "000",
    section: "Agent extensions",
    sentence:
      "A `ModelCall` ring lies inside the tool-call loop, so every model call passes through it.",
    status: "built",
  },
  {
    id: "extension-ring.model-call-sees-tool-results",
    document: "000",
    section: "Agent extensions",
    sentence: "A `ModelCall` ring also sees the calls that carry tool results.",
    status: "built",
  },
  {
    id: "extension-ring.turn-above-tool-loop",
    document: "000",
    section: "Agent extensions",
    sentence: "A `Turn` ring lies outside the tool-call loop and sees one call per turn.",
    status: "built",
  },
  {
    id: "extension-ring.below-the-ring",
    document: "000",
    section: "Agent extensions",
    sentence:
      "Content guard, run budget, response cache and `chat` span lie inside an extension's ring, next to the model.",
    status: "built",
  },
  {
    id: "extension-ring.above-the-ring",
    document: "000",
    section: "Agent extensions",
    sentence:
      "Error normalization, fallback chain and circuit breaker lie outside an extension's ring.",
    status: "built",
  },
  {
    id: "extension-ring.fallback-model-gets-ring",
    document: "000",
    section: "Agent extensions",
    sentence: "A fallback model gets the same ring as the model it replaces.",
    status: "built",
  },
  {
    id: "extension-ring.summarizer-gets-no-ring",
    document: "000",
    section: "Agent extensions",
    sentence: "The model that summarizes for compaction gets no extension ring.",
    status: "planned",
  },
];
