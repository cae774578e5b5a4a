/** The built-in kinds of stop criteria. */

import type { BuiltInCriterion } from "../criterion-host.ts";
import { agentReview } from "./agent-review.ts";
import { aiJudge } from "./ai-judge.ts";
import { backgroundTaskCompletion } from "./background-task-completion.ts";
import { completionMarker } from "./completion-marker.ts";
import { todoCompletion } from "./todo-completion.ts";

/** In the order in which they are documented and shown. */
export const criterionKinds: readonly BuiltInCriterion[] = [
  completionMarker,
  todoCompletion,
  aiJudge,
  backgroundTaskCompletion,
  agentReview,
];
