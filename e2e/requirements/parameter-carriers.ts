/** Which ways to start a run carry values, and what a repeated run binds. */

import type { Requirement } from "./requirement.ts";

export const parameterCarriers: readonly Requirement[] = [
  {
    id: "parameter-carrier.queued-takes-values",
    document: "000",
    section: "Parameters",
    sentence:
      "A queued run takes the same `parameters` and is checked the same way when it is queued.",
    status: "planned",
  },
  {
    id: "parameter-carrier.worker-checks-again",
    document: "000",
    section: "Parameters",
    sentence: "The worker checks the values of a queued run again, against the version it runs.",
    status: "planned",
  },
  {
    id: "parameter-carrier.batch-item-values",
    document: "000",
    section: "Parameters",
    sentence: "An item of a batch can name values of its own.",
    status: "planned",
  },
  {
    id: "parameter-carrier.schedule-item-values",
    document: "000",
    section: "Parameters",
    sentence: "An item of a schedule can name values of its own.",
    status: "planned",
  },
  {
    id: "parameter-carrier.workflow-step-values",
    document: "000",
    section: "Parameters",
    sentence:
      "A workflow step receives from the workflow's run the values that its own schema declares.",
    status: "planned",
  },
  {
    id: "parameter-carrier.run-records-bound-values",
    document: "000",
    section: "Parameters",
    sentence:
      "A run's record holds, beside the input, the effective values: those supplied plus the defaults of the rest.",
    status: "built",
  },
  {
    id: "parameter-carrier.replay-repeats-values",
    document: "000",
    section: "Parameters",
    sentence: "A replay binds the recorded values of the run it repeats and not the defaults.",
    status: "planned",
  },
  {
    id: "parameter-carrier.crash-continuation-repeats-values",
    document: "000",
    section: "Parameters",
    sentence: "The automatic continuation after a crash binds the recorded values.",
    status: "planned",
  },
  {
    id: "parameter-carrier.approval-resume-repeats-values",
    document: "000",
    section: "Parameters",
    sentence: "The resume after a tool approval binds the recorded values.",
    status: "built",
  },
  {
    id: "parameter-carrier.replay-changes-some",
    document: "000",
    section: "Parameters",
    sentence: "A replay request can replace some of the recorded values with its own `parameters`.",
    status: "planned",
  },
  {
    id: "parameter-carrier.replay-undeclared-refused",
    document: "000",
    section: "Parameters",
    sentence: "A replay that names a parameter the replayed version does not declare is refused.",
    status: "planned",
  },
  {
    id: "parameter-carrier.unrecorded-values-not-repeatable",
    document: "000",
    section: "Parameters",
    sentence:
      "A run without recorded values (input recording was off, or the run is older) cannot be repeated when its agent declares parameters.",
    status: "planned",
  },
  {
    id: "parameter-carrier.unrecorded-refusal-says-so",
    document: "000",
    section: "Parameters",
    sentence: "The refusal to repeat a run without recorded values gives that as the reason.",
    status: "planned",
  },
  {
    id: "parameter-carrier.openai-carries-none",
    document: "000",
    section: "Parameters",
    sentence:
      "A run over the OpenAI-compatible endpoints carries no values and binds the defaults.",
    status: "planned",
  },
  {
    id: "parameter-carrier.mcp-carries-none",
    document: "000",
    section: "Parameters",
    sentence: "A run over MCP carries no values and binds the defaults.",
    status: "planned",
  },
  {
    id: "parameter-carrier.a2a-carries-none",
    document: "000",
    section: "Parameters",
    sentence: "A run over A2A carries no values and binds the defaults.",
    status: "planned",
  },
  {
    id: "parameter-carrier.callee-carries-none",
    document: "000",
    section: "Parameters",
    sentence: "A run of an agent called by another agent carries no values and binds the defaults.",
    status: "planned",
  },
  {
    id: "parameter-carrier.voice-carries-none",
    document: "000",
    section: "Parameters",
    sentence: "A run over voice carries no values and binds the defaults.",
    status: "planned",
  },
  {
    id: "parameter-carrier.required-does-not-run-there",
    document: "000",
    section: "Parameters",
    sentence:
      "An agent with a required parameter without default does not run over an entry point that carries no values.",
    status: "planned",
  },
  {
    id: "parameter-carrier.request-refused-400",
    document: "000",
    section: "Parameters",
    sentence: "Such an agent is refused with `400` and `missingParameters` where a request enters.",
    status: "planned",
  },
  {
    id: "parameter-carrier.no-request-fails-before-model",
    document: "000",
    section: "Parameters",
    sentence:
      "Where no request can be refused, the run fails before any model call and names the missing parameter.",
    status: "planned",
  },
  {
    id: "parameter-carrier.unvalued-run-not-replayable",
    document: "000",
    section: "Parameters",
    sentence:
      "A run of an agent with parameters over an entry point that carries no values records none and cannot be replayed.",
    status: "planned",
  },
];
