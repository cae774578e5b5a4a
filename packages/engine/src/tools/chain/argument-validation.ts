import { cutText } from "../cut-text.ts";
import { untilAborted } from "../until-aborted.ts";
import type { ToolFault, ToolLink } from "./tool-link.ts";

/** Longest problem text of refused arguments, in characters. */
const MAX_PROBLEM_LENGTH = 1_000;

/** Checks the arguments by the tool's schema; further links see them as the schema reads them. */
export const argumentValidationLink: ToolLink = {
  name: "argument-validation",

  wrap(next, { schema }) {
    return async (call) => {
      let value: unknown;
      try {
        const pending = schema.check(call.arguments);
        const checked = "then" in pending ? await untilAborted(call.signal, pending) : pending;
        if (!checked.ok) return refusedArguments(checked.problem);
        value = checked.value;
      } catch (cause) {
        call.signal.throwIfAborted();
        // A check that throws has accepted nothing.
        return { ...refusedArguments("the arguments could not be checked"), cause };
      }
      return next({ ...call, arguments: value });
    };
  },
};

/** What the model reads of arguments that are not accepted. */
export const refusedArguments = (problem: string): ToolFault => ({
  ok: false,
  kind: "InvalidArguments",
  error: `Error: Invalid arguments: ${cutText(problem, MAX_PROBLEM_LENGTH)}`,
});
