import { untilAborted } from "../until-aborted.ts";
import type { RunToolCall, ToolCall, ToolFault, ToolLink } from "./tool-link.ts";

/**
 * Limits how long a call is waited for. The body is told by its signal and is not stopped: what it
 * still does, it does, and its result is discarded.
 */
export const timeoutLink: ToolLink = {
  name: "timeout",

  // The client answers in a request of its own, which nobody waits for here.
  wrap: (next, { execute, timeoutMs }) =>
    execute === undefined ? next : (call) => withinTime(next, call, timeoutMs),
};

/** Why nobody waits for the time any more. Without a reason each signal makes an error of its own. */
const ENDED = "the call has ended";

async function withinTime(next: RunToolCall, call: ToolCall, timeoutMs: number) {
  const told = new AbortController();
  const tell = () => told.abort(call.signal.reason);
  if (call.signal.aborted) tell();
  else call.signal.addEventListener("abort", tell, { once: true });
  const timer = new AbortController();
  let isLate = false;
  call.host.sleep(timeoutMs, timer.signal).then(
    () => {
      isLate = true;
      told.abort(new DOMException("the tool call took too long", "TimeoutError"));
    },
    // The call was faster.
    () => undefined,
  );
  try {
    return await untilAborted(told.signal, next({ ...call, signal: told.signal }));
  } catch (error) {
    call.signal.throwIfAborted();
    if (isLate) return timedOut(timeoutMs);
    throw error;
  } finally {
    timer.abort(ENDED);
    call.signal.removeEventListener("abort", tell);
  }
}

const timedOut = (timeoutMs: number): ToolFault => ({
  ok: false,
  kind: "TimedOut",
  error: `Error: The tool did not answer within ${timeoutMs / 1_000} s. It may still finish.`,
});
