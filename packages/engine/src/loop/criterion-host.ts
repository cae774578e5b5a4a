import type { CatalogEntry } from "../catalog/catalog-entry.ts";
import type { CriterionKind } from "./criterion.ts";
import type { JudgeState } from "./judge.ts";

/** What the built-in kinds compile against: the agent, its installation and the catalog. */
export type CriterionHost = {
  /** Place of the criterion in its loop, from 0. */
  readonly index: number;
  readonly agentName: string;
  readonly hasTodoList: boolean;
  /** The agent can change its mode. */
  readonly hasModes: boolean;
  /** The agent can start other agents as background tasks. */
  readonly hasBackgroundTasks: boolean;
  judge(): JudgeState;
  /** What the catalog has under the reviewer's name; absent when nobody looked. */
  readonly reviewer: FoundReviewer | undefined;
};

export type BuiltInCriterion = CriterionKind<CriterionHost>;

/**
 * | kind | |
 * |---|---|
 * | `found` | `asked` is what a review runs: the current agent, or its version |
 * | `missing` | no agent has the name |
 * | `versionMissing` | the agent has no such version |
 * | `versionless` | a version is asked for of an agent that is defined in code, which keeps none |
 * | `broken` | what a source gives is no agent |
 * | `unchecked` | nobody looked |
 */
export type FoundReviewer =
  | { readonly kind: "found"; readonly asked: CatalogEntry }
  | { readonly kind: "missing" | "versionMissing" | "versionless" | "broken" | "unchecked" };
