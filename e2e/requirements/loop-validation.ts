/** What is wrong with a loop, reported all at once. */

import type { Requirement } from "./requirement.ts";

export const loopValidation: readonly Requirement[] = [
  {
    id: "loop-validation.all-at-once",
    document: "000",
    section: "List, edit, and validate a loop",
    sentence: "`POST /api/agents/validate` reports every problem of a loop at once.",
    status: "built",
  },
  {
    id: "loop-validation.code-and-path",
    document: "000",
    section: "List, edit, and validate a loop",
    sentence: "Each reported problem has a code of its own and the path of the field.",
    status: "built",
  },
  {
    id: "loop-validation.save-400-all-messages",
    document: "000",
    section: "List, edit, and validate a loop",
    sentence: "Saving a definition with loop problems answers `400` with every message.",
    status: "built",
  },
  {
    id: "loop-validation.criteria-empty",
    document: "000",
    section: "List, edit, and validate a loop",
    sentence:
      "A loop without criteria is reported as `loop_criteria_empty` at `harness.loop.criteria`.",
    status: "built",
  },
  {
    id: "loop-validation.max-iterations-invalid",
    document: "000",
    section: "List, edit, and validate a loop",
    sentence:
      "A ceiling of zero or below is reported as `loop_max_iterations_invalid` at `harness.loop.maxIterations`.",
    status: "built",
  },
  {
    id: "loop-validation.on-exhausted-invalid",
    document: "000",
    section: "List, edit, and validate a loop",
    sentence:
      "An unknown outcome in `onExhausted` is reported as `loop_outcome_invalid` at `harness.loop.onExhausted`.",
    status: "built",
  },
  {
    id: "loop-validation.on-criterion-error-invalid",
    document: "000",
    section: "List, edit, and validate a loop",
    sentence:
      "An unknown outcome in `onCriterionError` is reported as `loop_outcome_invalid` at `harness.loop.onCriterionError`.",
    status: "built",
  },
  {
    id: "loop-validation.kind-missing",
    document: "000",
    section: "List, edit, and validate a loop",
    sentence:
      "An empty kind is reported as `loop_criterion_kind_missing` at `harness.loop.criteria[i].kind`.",
    status: "built",
  },
  {
    id: "loop-validation.kind-unknown",
    document: "000",
    section: "List, edit, and validate a loop",
    sentence:
      "A kind that is neither built in nor registered is reported as `loop_criterion_unknown` at `harness.loop.criteria[i].kind`.",
    status: "built",
  },
  {
    id: "loop-validation.marker-missing",
    document: "000",
    section: "List, edit, and validate a loop",
    sentence:
      "A `completionMarker` without marker is reported as `loop_marker_missing` at `harness.loop.criteria[i].marker`.",
    status: "built",
  },
  {
    id: "loop-validation.judge-criteria-missing",
    document: "000",
    section: "List, edit, and validate a loop",
    sentence:
      "An `aiJudge` without criteria is reported as `loop_judge_criteria_missing` at `harness.loop.criteria[i].judgeCriteria`.",
    status: "built",
  },
  {
    id: "loop-validation.judge-criterion-blank",
    document: "000",
    section: "List, edit, and validate a loop",
    sentence:
      "A blank judge criterion is reported as `loop_judge_criteria_missing` at `harness.loop.criteria[i].judgeCriteria[j]`.",
    status: "built",
  },
  {
    id: "loop-validation.judge-unconfigured",
    document: "000",
    section: "List, edit, and validate a loop",
    sentence:
      "An `aiJudge` on a host without judge model is reported as `loop_judge_unconfigured` at `harness.loop.criteria[i].kind`.",
    status: "built",
  },
  {
    id: "loop-validation.judge-provider-unregistered",
    document: "000",
    section: "List, edit, and validate a loop",
    sentence:
      "A judge model whose provider is not registered is reported as `loop_judge_unavailable` at `harness.loop.criteria[i].kind`.",
    status: "built",
  },
  {
    id: "loop-validation.judge-egress-forbidden",
    document: "000",
    section: "List, edit, and validate a loop",
    sentence:
      "A judge model that the caller's egress policy forbids is reported as `loop_judge_unavailable` at `harness.loop.criteria[i].kind`.",
    status: "planned",
  },
  {
    id: "loop-validation.reviewer-missing",
    document: "000",
    section: "List, edit, and validate a loop",
    sentence:
      "An `agentReview` without reviewer is reported as `loop_reviewer_missing` at `harness.loop.criteria[i].reviewerAgent`.",
    status: "built",
  },
  {
    id: "loop-validation.reviewer-self",
    document: "000",
    section: "List, edit, and validate a loop",
    sentence:
      "An agent that reviews itself is reported as `loop_reviewer_self` at `harness.loop.criteria[i].reviewerAgent`.",
    status: "built",
  },
  {
    id: "loop-validation.reviewer-version-below-one",
    document: "000",
    section: "List, edit, and validate a loop",
    sentence:
      "A reviewer version below 1 is reported as `loop_reviewer_version_invalid` at `harness.loop.criteria[i].reviewerAgentVersion`.",
    status: "built",
  },
  {
    id: "loop-validation.reviewer-version-of-code-agent",
    document: "000",
    section: "List, edit, and validate a loop",
    sentence:
      "A version of a reviewer defined in code is reported as `loop_reviewer_version_invalid` at `harness.loop.criteria[i].reviewerAgentVersion`.",
    status: "built",
  },
  {
    id: "loop-validation.reviewer-not-found",
    document: "000",
    section: "List, edit, and validate a loop",
    sentence:
      "A reviewer that is not in the caller's catalog is reported as `loop_reviewer_not_found` at `harness.loop.criteria[i].reviewerAgent`.",
    status: "built",
  },
  {
    id: "loop-validation.reviewer-version-not-found",
    document: "000",
    section: "List, edit, and validate a loop",
    sentence:
      "A version the reviewer does not have is reported as `loop_reviewer_not_found` at `harness.loop.criteria[i].reviewerAgentVersion`.",
    status: "built",
  },
  {
    id: "loop-validation.reviewer-verdict-unknown",
    document: "000",
    section: "List, edit, and validate a loop",
    sentence:
      "A reviewer whose current definition lacks the verdict schema is reported as `loop_reviewer_verdict_unknown` at `harness.loop.criteria[i].reviewerAgent`.",
    status: "built",
    note: "With a pinned version, the definition that is looked at is the one that would review.",
  },
  {
    id: "loop-validation.reviewer-verdict-schema",
    document: "000",
    section: "List, edit, and validate a loop",
    sentence:
      "The schema looked for is a JSON schema response format whose `approved` is boolean and whose `feedback` is a string.",
    status: "built",
  },
  {
    id: "loop-validation.reviewer-verdict-unknown-is-warning",
    document: "000",
    section: "List, edit, and validate a loop",
    sentence:
      "`loop_reviewer_verdict_unknown` is a warning and does not make the definition invalid.",
    status: "built",
  },
  {
    id: "loop-validation.code-kind-known-before-factory",
    document: "000",
    section: "List, edit, and validate a loop",
    sentence: "A registered code kind passes validation before its factory ever ran.",
    status: "built",
  },
  {
    id: "loop-validation.failing-factory-compilation-error",
    document: "000",
    section: "List, edit, and validate a loop",
    sentence: "A factory that fails is reported as `compilation_error` naming the kind.",
    status: "built",
  },
];
