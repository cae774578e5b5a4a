import { describeOutcome } from "../delegation/outcome-text.ts";
import type { ChildOutcome, StartChild } from "../scope/child-call.ts";
import type { RunProgress } from "./run-progress.ts";

/** Begins tasks as `start` does, and tells the watch of the run what they come to. */
export function watchTasks(start: StartChild, progress: RunProgress): StartChild {
  return async (request) => {
    const { agentName, message } = request;
    const tell = (outcome: ChildOutcome) => {
      // What was canceled has given nothing, neither the same nor anything else.
      if (outcome.kind === "canceled") return;
      progress.childCall({ agentName, message, answer: describeOutcome(outcome) });
    };
    const started = await start(request);
    if (started.kind === "refused") tell(started);
    else void started.outcome.then(tell);
    return started;
  };
}
