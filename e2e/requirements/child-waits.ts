/** How long a caller waits for a child, and what happens past the limit. */

import type { Requirement } from "./requirement.ts";

export const childWaits: readonly Requirement[] = [
  {
    id: "child-wait.cooperative-deadline",
    document: "000",
    section: "Agents calling agents",
    sentence: "Past `childDeadline` a child that watches its abort signal is cancelled.",
    status: "built",
  },
  {
    id: "child-wait.hard-cutoff",
    document: "000",
    section: "Agents calling agents",
    sentence:
      "Past `waitTimeout` the caller stops waiting for a child that ignores its abort signal.",
    status: "built",
  },
  {
    id: "child-wait.tree-continues-after-cutoff",
    document: "000",
    section: "Agents calling agents",
    sentence: "Past the hard cutoff the tree goes on.",
    status: "built",
  },
  {
    id: "child-wait.child-continues-after-cutoff",
    document: "000",
    section: "Agents calling agents",
    sentence: "Past the hard cutoff the child keeps running in the background.",
    status: "built",
  },
  {
    id: "child-wait.late-result-discarded",
    document: "000",
    section: "Agents calling agents",
    sentence: "The result of a child that comes after the hard cutoff is discarded.",
    status: "built",
  },
  {
    id: "child-wait.workflow-step-fails-workflow",
    document: "000",
    section: "Agents calling agents",
    sentence: "A workflow step that runs past its limit fails the workflow.",
    status: "planned",
  },
  {
    id: "child-wait.host-defaults",
    document: "000",
    section: "Agents calling agents",
    sentence: "Without settings of its own an agent waits by the limits of the host.",
    status: "built",
  },
  {
    id: "child-wait.settings-override",
    document: "000",
    section: "Agents calling agents",
    sentence:
      "`subAgents.childDeadline` and `subAgents.waitTimeout` of the calling agent override the limits of the host.",
    status: "built",
  },
  {
    id: "child-wait.timeout-event",
    document: "000",
    section: "Agents calling agents",
    sentence: "A child call that timed out writes `child.timed-out` to the stream of the root run.",
    status: "built",
  },
  {
    id: "child-wait.timeout-event-names-layer",
    document: "000",
    section: "Agents calling agents",
    sentence: "The event `child.timed-out` says which of the two limits cut the call.",
    status: "built",
  },
  {
    id: "child-wait.provider-break-off-no-timeout-event",
    document: "000",
    section: "Agents calling agents",
    sentence: "A child call that the provider broke off writes no `child.timed-out`.",
    status: "built",
  },
  {
    id: "child-wait.provider-break-off-reported",
    document: "000",
    section: "Agents calling agents",
    sentence:
      "The caller of a child that the provider broke off is told that the model provider did not answer.",
    status: "built",
  },
  {
    id: "child-wait.timeout-event-counts-limits-only",
    document: "000",
    section: "Agents calling agents",
    sentence: "Only the two wait limits ever write `child.timed-out`.",
    status: "built",
  },
];
