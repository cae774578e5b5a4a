/** Which instructions a run in a given culture uses. */

import type { Requirement } from "./requirement.ts";

export const cultures: readonly Requirement[] = [
  {
    id: "culture.map-of-tags",
    document: "000",
    section: "Culture-keyed instructions",
    sentence: "`instructionsByCulture` gives a culture tag an instructions text of its own.",
    status: "planned",
  },
  {
    id: "culture.optional-on-run",
    document: "000",
    section: "Culture-keyed instructions",
    sentence: "The run request takes an optional `culture`.",
    status: "planned",
  },
  {
    id: "culture.exact-match-first",
    document: "000",
    section: "Culture-keyed instructions",
    sentence: "The text whose tag equals the requested culture is used first.",
    status: "planned",
  },
  {
    id: "culture.parent-second",
    document: "000",
    section: "Culture-keyed instructions",
    sentence: "Without an exact match the text of the parent tag is used, so `tr-TR` finds `tr`.",
    status: "planned",
  },
  {
    id: "culture.default-last",
    document: "000",
    section: "Culture-keyed instructions",
    sentence: "`instructions` are used when neither the culture nor its parent has a text.",
    status: "planned",
  },
  {
    id: "culture.none-requested-uses-default",
    document: "000",
    section: "Culture-keyed instructions",
    sentence: "A run that names no culture uses `instructions`.",
    status: "planned",
  },
  {
    id: "culture.unmatched-never-fails",
    document: "000",
    section: "Culture-keyed instructions",
    sentence:
      "A run in a culture without a text goes on with the default instructions and does not fail.",
    status: "planned",
  },
  {
    id: "culture.accept-language-ignored",
    document: "000",
    section: "Culture-keyed instructions",
    sentence: "The `Accept-Language` header of a run request has no influence on the instructions.",
    status: "planned",
  },
  {
    id: "culture.never-shares-compiled-agent",
    document: "000",
    section: "Culture-keyed instructions",
    sentence: "Two runs of one agent in different resolved cultures never share a compiled agent.",
    status: "planned",
  },
  {
    id: "culture.queued-keeps-request-culture",
    document: "000",
    section: "Culture-keyed instructions",
    sentence: "A queued run uses the `culture` of the request that queued it.",
    status: "planned",
  },
  {
    id: "culture.not-in-run-record",
    document: "000",
    section: "Culture-keyed instructions",
    sentence: "The run record does not store the culture.",
    status: "planned",
  },
  {
    id: "culture.approval-continuation-uses-default",
    document: "000",
    section: "Culture-keyed instructions",
    sentence: "The continuation of a run after an approval decision uses the default instructions.",
    status: "planned",
  },
  {
    id: "culture.replay-uses-default",
    document: "000",
    section: "Culture-keyed instructions",
    sentence: "A replay uses the default instructions, whatever culture the recorded run had.",
    status: "planned",
  },
  {
    id: "culture.crash-continuation-uses-default",
    document: "000",
    section: "Culture-keyed instructions",
    sentence: "The automatic continuation after a crash uses the default instructions.",
    status: "planned",
  },
  {
    id: "culture.callee-gets-no-culture",
    document: "000",
    section: "Culture-keyed instructions",
    sentence: "A called agent resolves its instructions without the culture of its caller.",
    status: "planned",
  },
  {
    id: "culture.keys-are-bcp-47",
    document: "004",
    section: "InstructionsByCulture",
    sentence: "The keys of `instructionsByCulture` are BCP-47 tags.",
    status: "planned",
  },
];
