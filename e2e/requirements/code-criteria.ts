/** Stop criteria whose logic is code. */

import type { Requirement } from "./requirement.ts";

export const codeCriteria: readonly Requirement[] = [
  {
    id: "code-criterion.registered-under-kind",
    document: "000",
    section: "Run until the work is done",
    sentence:
      "A criterion written in code is registered under a kind, and a definition uses that kind.",
    status: "built",
  },
  {
    id: "code-criterion.decides-stop-or-continue",
    document: "000",
    section: "Run until the work is done",
    sentence: "A criterion in code answers stop, or continue with feedback for the next iteration.",
    status: "built",
  },
  {
    id: "code-criterion.reads-last-response",
    document: "000",
    section: "Run until the work is done",
    sentence: "A criterion in code can read the last response of the agent.",
    status: "built",
  },
  {
    id: "code-criterion.description-shown-in-console",
    document: "000",
    section: "Run until the work is done",
    sentence:
      "The description given at registration is shown next to the kind and reaches every reader of `GET /api/loop-criteria`.",
    status: "built",
  },
  {
    id: "code-criterion.does-more-than-review",
    document: "000",
    section: "Another agent as the reviewer",
    sentence:
      "A criterion in code can compute a check before it asks a reviewer and can read a verdict of any shape.",
    status: "built",
  },
  {
    id: "code-criterion.factory-gets-services",
    document: "000",
    section: "A criterion that needs your services",
    sentence: "A criterion factory receives the services of the application.",
    status: "built",
  },
  {
    id: "code-criterion.evaluation-has-no-services",
    document: "000",
    section: "A criterion that needs your services",
    sentence: "The context of an evaluation offers no services.",
    status: "built",
  },
  {
    id: "code-criterion.factory-runs-once",
    document: "000",
    section: "A criterion that needs your services",
    sentence:
      "A criterion factory runs once, at the first compilation of an agent that names its kind.",
    status: "built",
  },
  {
    id: "code-criterion.factory-result-shared",
    document: "000",
    section: "A criterion that needs your services",
    sentence: "The result of a criterion factory serves every agent, run and tenant from then on.",
    status: "built",
  },
  {
    id: "code-criterion.factory-not-at-startup",
    document: "000",
    section: "A criterion that needs your services",
    sentence: "A criterion factory does not run at startup.",
    status: "built",
  },
  {
    id: "code-criterion.factory-can-use-catalog",
    document: "000",
    section: "A criterion that needs your services",
    sentence: "A criterion factory can ask for the agent catalog.",
    status: "built",
  },
  {
    id: "code-criterion.duplicate-kind-refused",
    document: "000",
    section: "A criterion that needs your services",
    sentence: "A kind registered twice is refused before any factory runs.",
    status: "built",
  },
  {
    id: "code-criterion.built-in-kind-refused",
    document: "000",
    section: "A criterion that needs your services",
    sentence: "A kind that shadows a built-in one is refused before any factory runs.",
    status: "built",
  },
  {
    id: "code-criterion.throwing-factory-not-cached",
    document: "000",
    section: "A criterion that needs your services",
    sentence: "A factory that throws is called again at the next compilation.",
    status: "built",
  },
  {
    id: "code-criterion.throwing-factory-fails-compile",
    document: "000",
    section: "A criterion that needs your services",
    sentence: "A throwing factory is a compilation error that gives the kind and the error's type.",
    status: "built",
  },
  {
    id: "code-criterion.throwing-factory-save-400",
    document: "000",
    section: "A criterion that needs your services",
    sentence: "Saving a definition whose criterion factory throws answers `400`.",
    status: "built",
  },
  {
    id: "code-criterion.throwing-factory-message-log-only",
    document: "000",
    section: "A criterion that needs your services",
    sentence: "The message of what a factory threw goes to the log of the host only.",
    status: "built",
  },
  {
    id: "code-criterion.singletons-only",
    document: "000",
    section: "A criterion that needs your services",
    sentence:
      "The services a factory receives live as long as the application, so scoped services are not offered.",
    status: "built",
  },
  {
    id: "code-criterion.tenant-at-evaluation",
    document: "000",
    section: "A criterion that needs your services",
    sentence:
      "An evaluation reads the tenant of the run under evaluation, also inside a workflow step.",
    status: "planned",
  },
  {
    id: "code-criterion.tenant-not-in-factory",
    document: "000",
    section: "A criterion that needs your services",
    sentence:
      "A factory runs for whichever tenant compiles first, and its result is not bound to that tenant.",
    status: "built",
  },
  {
    id: "code-criterion.state-in-properties",
    document: "000",
    section: "A criterion that needs your services",
    sentence:
      "`properties` keeps what a criterion stores for one loop run and is separate for each loop run.",
    status: "built",
  },
  {
    id: "code-criterion.last-message-and-whole-text",
    document: "000",
    section: "A criterion that needs your services",
    sentence:
      "A criterion can read the last message of the last response apart from its text, which joins all messages of the turn.",
    status: "built",
  },
  {
    id: "code-criterion.linked-reviewer-is-child",
    document: "000",
    section: "A criterion that needs your services",
    sentence:
      "A reviewer that a criterion starts with the current run as parent, the same root, depth plus one and the same budget is a child run.",
    status: "built",
  },
  {
    id: "code-criterion.linked-reviewer-own-usage",
    document: "000",
    section: "A criterion that needs your services",
    sentence:
      "The tokens of such a reviewer belong to its own run and count against the shared budget of the tree.",
    status: "built",
  },
  {
    id: "code-criterion.depth-is-criterions-duty",
    document: "000",
    section: "A criterion that needs your services",
    sentence:
      "The depth limit is not checked for a run that a criterion starts itself; the criterion checks it.",
    status: "planned",
    note: "Only `callAgent` starts a run below another here, and it keeps the limits itself.",
  },
  {
    id: "code-criterion.run-count-is-criterions-duty",
    document: "000",
    section: "A criterion that needs your services",
    sentence:
      "The run limit of the tree is not checked for a run that a criterion starts itself; the criterion reserves the run.",
    status: "planned",
    note: "Only `callAgent` starts a run below another here, and it keeps the limits itself.",
  },
  {
    id: "code-criterion.example-draft-review",
    document: "000",
    section: "A criterion that needs your services",
    sentence:
      "The examples contain a criterion that reads the last assistant message, asks a reviewer agent and keeps the findings of the previous round.",
    status: "built",
  },
];
