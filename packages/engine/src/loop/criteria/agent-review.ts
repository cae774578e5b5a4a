/**
 * Stops once another agent of the catalog approves the draft. The reviewer runs below the run it
 * evaluates and is looked up for each review. What it answers counts only as the verdict it has to be.
 */

import {
  type ChatMessage,
  type ErrorCode,
  errorCodes,
  type Finding,
  finding,
  TraconError,
  warning,
} from "@tracon/core";
import { describeOutcome } from "../../delegation/outcome-text.ts";
import { type ChildIdentity, type ChildOutcome, callChild } from "../../scope/child-call.ts";
import type { CriterionOutcome, Decider, EvaluatedIteration } from "../criterion.ts";
import type { BuiltInCriterion, FoundReviewer } from "../criterion-host.ts";
import { boundedFeedback } from "../feedback-text.ts";
import { readReviewVerdict } from "../review-verdict.ts";

export const agentReview: BuiltInCriterion = {
  kind: "agentReview",
  description: "Another agent of the catalog approves the draft.",
  reads: ["reviewerAgent", "reviewerAgentVersion"],

  findings({ reviewerAgent = "", reviewerAgentVersion: version }, path, { agentName, reviewer }) {
    const reviewed = { name: reviewerAgent, version, path };
    const below = version !== undefined && version < 1 ? [versionBelowOne(path)] : [];
    if (reviewerAgent.trim() === "") {
      const message = "an agentReview needs the name of the agent that reviews";
      return [finding("loop_reviewer_missing", `${path}.reviewerAgent`, message), ...below];
    }
    if (reviewerAgent.normalize("NFC") === agentName) {
      const message = "an agent cannot review itself; name another one";
      return [finding("loop_reviewer_self", `${path}.reviewerAgent`, message), ...below];
    }
    return [...foundFindings(reviewed, reviewer), ...below];
  },

  create({ kind, reviewerAgent = "", reviewerAgentVersion: version }) {
    const agentName = reviewerAgent.normalize("NFC");
    return {
      kind,
      async evaluate(iteration) {
        const { scope, signal } = iteration;
        const message = reviewText(iteration);
        const call = callChild(scope.startChild, { agentName, version, message, signal });
        const outcome = await call;
        // A review that was canceled with its run is no failure of the criterion.
        signal.throwIfAborted();
        return decisionOf(agentName, outcome);
      },
    };
  },
};

const versionBelowOne = (path: string): Finding =>
  finding(
    "loop_reviewer_version_invalid",
    `${path}.reviewerAgentVersion`,
    "a version is 1 or more; leave it out to run the current one",
  );

type Reviewed = {
  readonly name: string;
  readonly version: number | undefined;
  readonly path: string;
};

function foundFindings(
  { name, version, path }: Reviewed,
  found: FoundReviewer = { kind: "unchecked" },
): readonly Finding[] {
  const namePath = `${path}.reviewerAgent`;
  const versionPath = `${path}.reviewerAgentVersion`;
  switch (found.kind) {
    case "unchecked":
      return [];
    case "missing":
      return [finding("loop_reviewer_not_found", namePath, `there is no agent '${name}'`)];
    case "broken": {
      const message = `what its source gives for agent '${name}' is no agent`;
      return [finding("loop_reviewer_not_found", namePath, message)];
    }
    case "versionMissing": {
      const message = `agent '${name}' has no version ${version}`;
      return [finding("loop_reviewer_not_found", versionPath, message)];
    }
    case "versionless": {
      const message = `agent '${name}' is defined in code, which keeps no versions; leave the version out`;
      return [finding("loop_reviewer_version_invalid", versionPath, message)];
    }
    case "found": {
      if (asksForVerdict(found)) return [];
      const message = `agent '${name}' has no JSON schema response format with a boolean 'approved' and a string 'feedback', and what it answers may not be a verdict`;
      return [warning("loop_reviewer_verdict_unknown", namePath, message)];
    }
  }
}

/** Of an agent that code builds, and of what a schema refers to, nothing is known. */
function asksForVerdict({ asked }: Extract<FoundReviewer, { kind: "found" }>): boolean {
  const format = asked.definition?.model.responseFormat;
  if (format?.kind !== "JsonSchema") return false;
  const properties = membersOf(format.schema?.properties);
  return (
    membersOf(properties.approved).type === "boolean" &&
    membersOf(properties.feedback).type === "string"
  );
}

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  value !== null && typeof value === "object" ? (value as Record<string, unknown>) : {};

/** One text, without any instruction: what the reviewer has to do stands in its own definition. */
const reviewText = ({ initialMessages, iteration, lastResponse }: EvaluatedIteration): string =>
  [
    `Request:\n${textOfLastUser(initialMessages)}`,
    `Iteration: ${iteration}`,
    `Draft:\n${lastResponse.lastMessage}`,
  ].join("\n\n");

function textOfLastUser(messages: readonly ChatMessage[]): string {
  const last = messages.findLast(({ role }) => role === "user");
  return (last?.contents ?? [])
    .flatMap((content) => (content.$type === "text" ? [content.text] : []))
    .join("");
}

function decisionOf(name: string, outcome: ChildOutcome): CriterionOutcome {
  const decider = outcome.kind === "refused" ? {} : reviewerOf(outcome.child);
  const failed = (code: ErrorCode, message: string): CriterionOutcome => ({
    decision: "failed",
    error: new TraconError(code, message),
    ...decider,
  });
  if (outcome.kind !== "answered") {
    const message = `reviewer '${name}' gave no verdict: ${describeOutcome(outcome)}`;
    return failed(codeOf(outcome), message.replace(/\.$/, ""));
  }
  const verdict = readReviewVerdict(outcome.text);
  if ("problem" in verdict) {
    const message = `the answer of reviewer '${name}' is no verdict: ${verdict.problem}`;
    return failed("criterion_failed", message);
  }
  if (verdict.approved) return { decision: "stop", ...decider };
  return { decision: "continue", feedback: feedbackOf(verdict.feedback), ...decider };
}

const reviewerOf = ({ agentName, agentVersion, runId }: ChildIdentity): Decider => ({
  reviewer: {
    agent: agentName,
    ...(agentVersion === undefined ? {} : { version: agentVersion }),
    runId,
  },
});

/** A provider's fault stays one, and a limit on the wait is told apart from it. */
function codeOf(outcome: Exclude<ChildOutcome, { kind: "answered" }>): ErrorCode {
  switch (outcome.kind) {
    case "failed":
      return keepsMeaning(outcome.error.type) ? outcome.error.type : "criterion_failed";
    case "canceled":
      return "criterion_failed";
    case "timedOut":
      return "reviewer_timeout";
    case "refused":
      return outcome.code;
  }
}

/** What would say something else of the run that is reviewed than of the reviewer's own. */
const OF_THE_REVIEWER: ReadonlySet<string> = new Set(["internal", "loop_unsatisfied"]);

const keepsMeaning = (type: string): type is ErrorCode =>
  Object.hasOwn(errorCodes, type) && !OF_THE_REVIEWER.has(type);

const feedbackOf = (feedback: string): string =>
  feedback.trim() === ""
    ? "The reviewer did not approve the draft and gave no reason. Go over it again and improve it."
    : boundedFeedback(feedback);
