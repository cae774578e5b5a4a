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
  const told = new LinkedAbort(call.signal);
  // Mostly nobody waits for what does not listen.
  const left = call.abandoned === call.signal ? told : new LinkedAbort(call.abandoned);
  const timer = new AbortController();
  let isLate = false;
  call.host.sleep(timeoutMs, timer.signal).then(
    () => {
      isLate = true;
      const reason = new DOMException("the tool call took too long", "TimeoutError");
      told.abort(reason);
      left.abort(reason);
    },
    // The call was faster.
    () => undefined,
  );
  try {
    const { signal } = told;
    const { signal: abandoned } = left;
    return await untilAborted(abandoned, next({ ...call, signal, abandoned }));
  } catch (error) {
    call.signal.throwIfAborted();
    if (isLate) return timedOut(timeoutMs);
    throw error;
  } finally {
    timer.abort(ENDED);
    told.unlink();
    left.unlink();
  }
}

/** Fires with another signal, or before it. */
class LinkedAbort extends AbortController {
  readonly #source: AbortSignal;
  readonly #follow = () => this.abort(this.#source.reason);

  constructor(source: AbortSignal) {
    super();
    this.#source = source;
    if (source.aborted) this.#follow();
    else source.addEventListener("abort", this.#follow, { once: true });
  }

  /** The other signal may outlive this one, and nothing of it is left there. */
  unlink(): void {
    this.#source.removeEventListener("abort", this.#follow);
  }
}

const timedOut = (timeoutMs: number): ToolFault => ({
  ok: false,
  kind: "TimedOut",
  error: `Error: The tool did not answer within ${timeoutMs / 1_000} s. It may still finish.`,
});
