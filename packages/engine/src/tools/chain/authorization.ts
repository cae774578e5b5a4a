import { cutText } from "../cut-text.ts";
import { untilAborted } from "../until-aborted.ts";
import { type ToolFault, type ToolLink, viewOf } from "./tool-link.ts";

/** Longest reason the model is told, in characters. */
const MAX_REASON_LENGTH = 1_000;

/** Asks the application whether the call may be made at all. What is no clear yes denies. */
export const authorizationLink: ToolLink = {
  name: "authorization",

  wrap(next, tool) {
    const { authorize } = tool;
    if (authorize === undefined) return next;
    return async (call) => {
      let answer: unknown;
      try {
        answer = await untilAborted(
          call.signal,
          ask(() => authorize(viewOf(call, tool))),
        );
      } catch (cause) {
        call.signal.throwIfAborted();
        return { ...denied(undefined), cause };
      }
      return isAllowed(answer) ? next(call) : denied(answer);
    };
  },
};

/** A function of the application need not be asynchronous to throw. */
const ask = async (answer: () => unknown): Promise<unknown> => answer();

const isAllowed = (answer: unknown): boolean =>
  answer === true || (isObject(answer) && Reflect.get(answer, "allowed") === true);

function denied(answer: unknown): ToolFault {
  const reason = isObject(answer) ? Reflect.get(answer, "reason") : undefined;
  const told = typeof reason === "string" && reason.trim() !== "";
  const text = told ? `: ${cutText(reason, MAX_REASON_LENGTH)}` : ".";
  return { ok: false, kind: "Denied", error: `Error: The call is not allowed${text}` };
}

const isObject = (value: unknown): value is object => value !== null && typeof value === "object";
