/** The stop criteria that an application registered: what of them can be named, and the built ones. */

import {
  type Finding,
  faultText,
  finding,
  findingPath,
  type Log,
  type LoopCriterionDescriptor,
  TraconError,
} from "@tracon/core";
import { untilAborted } from "../tools/until-aborted.ts";
import { criterionKinds } from "./criteria/index.ts";
import type { Criterion, EvaluatedIteration } from "./criterion.ts";
import type {
  LoopContext,
  LoopEvaluation,
  LoopEvaluator,
  LoopEvaluatorRegistration,
} from "./loop-evaluator.ts";

/** Registrations by kind; what a factory is given is the business of whoever registers. */
export type LoopEvaluatorRegistrations = Readonly<Record<string, LoopEvaluatorRegistration<never>>>;

export type LoopEvaluators = {
  /** In the order of their registration. */
  readonly descriptors: readonly LoopCriterionDescriptor[];
  /**
   * The criterion of a kind; builds it when that has not been done yet. A text says why it cannot be
   * built, and `undefined` that the kind is not registered.
   */
  criterion(kind: string): Criterion | string | undefined;
};

export type LoopEvaluatorsOptions = {
  readonly log: Log;
  /** What factories are given; absent where definitions are only checked, and no factory runs. */
  readonly services?: (() => unknown) | undefined;
};

export function createLoopEvaluators(
  registrations: LoopEvaluatorRegistrations,
  { log, services }: LoopEvaluatorsOptions,
): LoopEvaluators {
  const built = new Map<string, Criterion>();
  return {
    descriptors: Object.entries(registrations).map(([kind, { description }]) => ({
      kind,
      ...(description === undefined ? {} : { description }),
      isBuiltIn: false,
      fields: [],
    })),
    criterion(kind) {
      const known = built.get(kind);
      if (known !== undefined) return known;
      const registration = Object.hasOwn(registrations, kind) ? registrations[kind] : undefined;
      if (registration === undefined) return undefined;
      if (services === undefined) return unbuilt(kind);
      const criterion = build(kind, registration, { log, services });
      // One that could not be built is tried again with the next compilation.
      if (typeof criterion !== "string") built.set(kind, criterion);
      return criterion;
    },
  };
}

/** Two kinds that differ in case only would be taken for each other. */
const sameKind = (left: string, right: string): boolean =>
  left.normalize("NFC").toLowerCase() === right.normalize("NFC").toLowerCase();

/** What is wrong with the kinds themselves. Runs no factory. */
export function loopEvaluatorFindings(
  registrations: LoopEvaluatorRegistrations,
): readonly Finding[] {
  const kinds = Object.keys(registrations);
  return kinds.flatMap((kind, index) => {
    const path = findingPath(["loopEvaluators", kind]);
    const builtIn = criterionKinds.find((it) => sameKind(it.kind, kind));
    const other = kinds.slice(0, index).find((it) => sameKind(it, kind));
    if (kind.trim() === "") return [finding("invalid_value", path, "a kind is not blank")];
    if (builtIn !== undefined) {
      const message = `the kind '${builtIn.kind}' is built in; register '${kind}' under another name`;
      return [finding("duplicate_name", path, message)];
    }
    if (other === undefined) return [];
    const message = `'${kind}' and '${other}' are one kind, which can be registered once only`;
    return [finding("duplicate_name", path, message)];
  });
}

function build(
  kind: string,
  registration: LoopEvaluatorRegistration<never>,
  { log, services }: { readonly log: Log; readonly services: () => unknown },
): Criterion | string {
  try {
    const made: unknown =
      "create" in registration ? registration.create(services() as never) : registration;
    if (isEvaluator(made)) return criterionOf(kind, made);
    if (isThenable(made)) made.then(undefined, () => undefined);
    return `the factory of loop criterion '${kind}' gave no object with the function evaluate`;
  } catch (error) {
    // The message is for whoever wrote it and may hold anything, so only the log has it.
    log.warn("the factory of a loop criterion failed", { kind, error: faultText(error) });
    const name = error instanceof Error ? error.name : "a value that is no error";
    return `the factory of loop criterion '${kind}' failed with ${name}`;
  }
}

const isEvaluator = (value: unknown): value is LoopEvaluator => hasFunction(value, "evaluate");

const isThenable = (value: unknown): value is PromiseLike<unknown> => hasFunction(value, "then");

const hasFunction = (value: unknown, name: string): boolean =>
  value !== null && typeof value === "object" && typeof Reflect.get(value, name) === "function";

/** Stands for a criterion where nothing is ever run. */
const unbuilt = (kind: string): Criterion => ({
  kind,
  evaluate: () => Promise.reject(new TypeError(`loop criterion '${kind}' was only checked`)),
});

const criterionOf = (kind: string, evaluator: LoopEvaluator): Criterion => ({
  kind,
  async evaluate(iteration) {
    // An asynchronous function, because an evaluator may also throw at once.
    const work = (async () => evaluator.evaluate(contextOf(iteration)))();
    return readEvaluation(kind, await untilAborted(iteration.signal, work));
  },
});

/** What code is told, and nothing of what the engine's own criteria work with. */
const contextOf = (iteration: EvaluatedIteration): LoopContext => ({
  agentName: iteration.agentName,
  tenantId: iteration.tenantId,
  runId: iteration.runId,
  sessionId: iteration.sessionId,
  iteration: iteration.iteration,
  initialMessages: iteration.initialMessages,
  lastResponse: iteration.lastResponse,
  feedback: iteration.feedback,
  properties: iteration.properties,
  signal: iteration.signal,
  callAgent: (...call) => iteration.callAgent(...call),
});

/** Code may answer anything; what is no decision must not pass for one. */
function readEvaluation(kind: string, value: unknown): LoopEvaluation {
  const { decision, feedback, messages } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (decision === "stop") return { decision };
  if (decision === "continue") {
    const text = feedback ?? "";
    if (typeof text === "string" && (messages === undefined || isTexts(messages))) {
      return {
        decision,
        feedback: text.trim() === "" ? undefined : text,
        ...(messages === undefined ? {} : { messages }),
      };
    }
  }
  const message = `loop criterion '${kind}' answered neither { decision: "stop" } nor { decision: "continue" } with a text as feedback or texts as messages`;
  throw new TraconError("criterion_failed", message);
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((it) => typeof it === "string");
