/** One definition's instructions in front of another's. */

import type { Requirement } from "./requirement.ts";

export const sharedInstructions: readonly Requirement[] = [
  {
    id: "shared-instructions.any-definition-is-a-block",
    document: "000",
    section: "Shared instructions blocks",
    sentence:
      "Any definition of the same store can serve as a shared block, also one that nobody runs directly.",
    status: "built",
  },
  {
    id: "shared-instructions.prepended",
    document: "000",
    section: "Shared instructions blocks",
    sentence:
      "The `instructions` of the block named in `sharedInstructionsName` stand in front of the agent's own text.",
    status: "built",
  },
  {
    id: "shared-instructions.joins-at-compile",
    document: "000",
    section: "Shared instructions blocks",
    sentence: "The block is joined to the text when the agent is compiled.",
    status: "built",
  },
  {
    id: "shared-instructions.joins-resolved-text",
    document: "000",
    section: "Shared instructions blocks",
    sentence: "The block is joined to the text that the agent's culture resolved to.",
    status: "built",
  },
  {
    id: "shared-instructions.block-is-versioned",
    document: "000",
    section: "Shared instructions blocks",
    sentence: "A shared block keeps versions as every stored definition does.",
    status: "built",
  },
  {
    id: "shared-instructions.block-belongs-to-tenant",
    document: "000",
    section: "Shared instructions blocks",
    sentence: "A shared block is visible to its own tenant only.",
    status: "built",
  },
  {
    id: "shared-instructions.block-is-audited",
    document: "000",
    section: "Shared instructions blocks",
    sentence: "Changes of a shared block stand in the audit trail.",
    status: "planned",
  },
  {
    id: "shared-instructions.single-hop",
    document: "000",
    section: "Shared instructions blocks",
    sentence: "A block that names a block of its own cannot be referenced.",
    status: "built",
  },
  {
    id: "shared-instructions.second-hop-refused-at-compile",
    document: "000",
    section: "Shared instructions blocks",
    sentence: "A reference to a block that references another block fails the compilation.",
    status: "built",
  },
  {
    id: "shared-instructions.unknown-block-refused",
    document: "000",
    section: "Shared instructions blocks",
    sentence: "A `sharedInstructionsName` that no definition carries fails the compilation.",
    status: "built",
    note: "Follows from the rule of `compile.every-name-resolves`.",
  },
  {
    id: "shared-instructions.no-cycle-walk",
    document: "004",
    section: "SharedInstructionsName",
    sentence:
      "The second hop is refused outright, so two blocks that name each other are both refused as references without a search for cycles.",
    status: "built",
  },
  {
    id: "shared-instructions.uses-default-text-of-block",
    document: "004",
    section: "Instructions",
    sentence:
      "The block contributes its `instructions` and not a text of its `instructionsByCulture`.",
    status: "built",
    note: "Both documents name the block's `Instructions` only.",
  },
];
