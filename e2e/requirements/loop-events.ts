/** What the record and the stream say about each iteration. */

import type { Requirement } from "./requirement.ts";

export const loopEvents: readonly Requirement[] = [
  {
    id: "loop-event.one-per-evaluated-iteration",
    document: "000",
    section: "Run until the work is done",
    sentence: "Each evaluated iteration writes one `loop.iteration-completed` event to the run.",
    status: "built",
    note: "Document 001 says every completed iteration; a turn at the ceiling that is not evaluated writes none.",
  },
  {
    id: "loop-event.carries-iteration",
    document: "000",
    section: "Run until the work is done",
    sentence: "The event carries the number of the iteration.",
    status: "built",
  },
  {
    id: "loop-event.carries-continued",
    document: "000",
    section: "Run until the work is done",
    sentence: "The event says in `continued` whether a criterion asked for another iteration.",
    status: "built",
  },
  {
    id: "loop-event.carries-continued-by",
    document: "000",
    section: "Run until the work is done",
    sentence: "The event names in `continuedBy` the criterion that asked for another iteration.",
    status: "built",
  },
  {
    id: "loop-event.no-feedback-text",
    document: "000",
    section: "Run until the work is done",
    sentence: "The event does not carry the feedback of the criterion.",
    status: "built",
  },
  {
    id: "loop-event.criteria-in-order",
    document: "000",
    section: "Run until the work is done",
    sentence: "`criteria` holds every criterion evaluated in the iteration, in order.",
    status: "built",
  },
  {
    id: "loop-event.criteria-kind-and-decision",
    document: "000",
    section: "Run until the work is done",
    sentence:
      "Each entry of `criteria` has its `kind` and a `decision` of `stop`, `continue` or `failed`.",
    status: "built",
  },
  {
    id: "loop-event.criteria-ends-at-objection",
    document: "000",
    section: "Run until the work is done",
    sentence:
      "The last entry of `criteria` is the first objection or failure, because nothing after it is asked.",
    status: "built",
  },
  {
    id: "loop-event.judge-named",
    document: "000",
    section: "Run until the work is done",
    sentence: "An `aiJudge` entry names in `judge` the provider and model that were called.",
    status: "built",
  },
  {
    id: "loop-event.judge-fallback-named",
    document: "000",
    section: "Run until the work is done",
    sentence: "An `aiJudge` entry names the fallback model when the judge failed over.",
    status: "built",
  },
  {
    id: "loop-event.reviewer-named",
    document: "000",
    section: "Run until the work is done",
    sentence:
      "An `agentReview` entry carries `reviewer` with the agent, the version recorded by its run and that run's `runId`.",
    status: "built",
  },
  {
    id: "loop-event.other-entries-bare",
    document: "000",
    section: "Run until the work is done",
    sentence: "An entry of any other kind carries `kind` and `decision` only.",
    status: "built",
  },
  {
    id: "loop-event.text-names-reviewer",
    document: "000",
    section: "Run until the work is done",
    sentence:
      "The text of the event names the reviewer, as in `iteration 2 continued by 'agentReview' (reviewer 'draft-reviewer' v3)`.",
    status: "built",
  },
  {
    id: "loop-event.no-content",
    document: "000",
    section: "Run until the work is done",
    sentence:
      "The event never contains the reasoning of the judge, the answer of the reviewer or the draft.",
    status: "built",
  },
  {
    id: "loop-event.ceiling-turn-not-evaluated",
    document: "000",
    section: "Run until the work is done",
    sentence: "The turn at the ceiling is not evaluated unless `onExhausted` is `FailRun`.",
    status: "built",
  },
  {
    id: "loop-event.one-event-fewer-at-ceiling",
    document: "000",
    section: "Run until the work is done",
    sentence: "A loop that ended at its ceiling without `FailRun` has one event less than turns.",
    status: "built",
  },
  {
    id: "loop-event.ceiling-reached",
    document: "000",
    section: "Run until the work is done",
    sentence: "The last event of a loop that ends at its ceiling carries `ceilingReached`.",
    status: "built",
  },
  {
    id: "loop-event.satisfied-has-no-ceiling-reached",
    document: "000",
    section: "Run until the work is done",
    sentence:
      "A loop whose criteria were satisfied before the ceiling carries no `ceilingReached`.",
    status: "built",
  },
  {
    id: "loop-event.frame-mirrors-event",
    document: "000",
    section: "Run until the work is done",
    sentence:
      "The native stream sends each event as a `loop.iteration-completed` frame with the same data.",
    status: "built",
  },
  {
    id: "loop-event.frame-between-iterations",
    document: "000",
    section: "Run until the work is done",
    sentence:
      "The frame stands between the last update of its iteration and the first update of the next.",
    status: "built",
  },
  {
    id: "loop-event.answer-before-stop-frame",
    document: "000",
    section: "Run until the work is done",
    sentence:
      "After a last frame with `continued: false` the answer is the iteration in front of that frame.",
    status: "built",
  },
  {
    id: "loop-event.answer-after-ceiling-frame",
    document: "000",
    section: "Run until the work is done",
    sentence:
      "After a last frame with `ceilingReached: true` the answer is the iteration behind that frame.",
    status: "built",
    note: "Holds for `onExhausted: ReturnLastResponse`; with `FailRun` the last turn is evaluated, so its text stands before the frame.",
  },
  {
    id: "loop-event.unrecorded-event-sends-no-frame",
    document: "000",
    section: "Run until the work is done",
    sentence: "An event that could not be recorded sends no frame.",
    status: "built",
  },
];
