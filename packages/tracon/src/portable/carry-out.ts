/** Does the steps of a plan, one after the other. */

import type { DefinitionTarget } from "./definition-target.ts";
import type { Applied, AppliedAgents } from "./lock-file.ts";
import { isWrite, type PlanStep } from "./plan.ts";

/** A step that was done, with the version it left behind. */
export type DoneStep = {
  readonly step: PlanStep;
  readonly version?: number;
};

export type CarryOutOptions = {
  readonly target: DefinitionTarget;
  /** Told of every step that wrote, right after it did: what comes later may fail. */
  readonly onDone: (done: DoneStep) => void;
  /** No further step is begun when it fires. */
  readonly signal: AbortSignal;
};

/** Does what writes. Throws what the target throws; steps done by then stay done. */
export async function carryOut(
  steps: readonly PlanStep[],
  { target, onDone, signal }: CarryOutOptions,
): Promise<void> {
  for (const step of steps.filter(isWrite)) {
    signal.throwIfAborted();
    onDone({ step, ...(await doStep(step, target)) });
  }
}

async function doStep(
  step: PlanStep,
  target: DefinitionTarget,
): Promise<{ readonly version?: number }> {
  switch (step.action) {
    case "create":
      return { version: await target.create(step.definition.content) };
    case "change":
      return { version: await target.save(step.definition.content, step.basedOn) };
    case "delete":
      await target.delete(step.name, step.version);
      return {};
    default:
      return {};
  }
}

/** What is applied after these steps: what the folder has and the installation has, both alike. */
export function appliedAfter(
  before: AppliedAgents,
  steps: readonly PlanStep[],
  done: readonly DoneStep[],
): AppliedAgents {
  const versions = new Map(done.map(({ step, version }) => [step, version]));
  const after = new Map<string, Applied>();
  for (const step of steps) {
    const last = before.get(step.name);
    if (step.action === "unchanged") {
      const { contentHash } = step.definition;
      after.set(step.name, { version: step.version, contentHash });
    } else if (!versions.has(step)) {
      if (last !== undefined) after.set(step.name, last);
    } else if (step.action === "create" || step.action === "change") {
      const version = versions.get(step) ?? 0;
      after.set(step.name, { version, contentHash: step.definition.contentHash });
    }
  }
  return after;
}
