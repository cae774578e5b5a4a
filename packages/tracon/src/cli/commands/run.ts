import { LOOP_UNSATISFIED, type RunFrame, type RunResult, TraconError } from "@tracon/core";
import { createTracon } from "../../create-tracon.ts";
import { type Command, configHelp, configOptions, EXIT, type Terminal } from "../command.ts";
import { loadConfig } from "../load-config.ts";

export const run: Command = {
  name: "run",
  summary: "Run an agent once and stream its answer",
  usage: '<agent> "message" [options]',
  options: {
    ...configOptions,
    json: { type: "boolean" },
    culture: { type: "string" },
    session: { type: "string" },
  },
  help: [
    ...configHelp,
    "    --culture TAG   culture of the run",
    "    --session ID    continue the conversation of that id, or begin it",
    "    --json          print the result as one JSON line instead of streaming",
    "",
    "Ctrl+C cancels the run. A run that fails exits with 3.",
  ],
  examples: [
    'tracon run support "Where is ORD-3?"',
    'tracon run support "And ORD-4?" --session chat-1',
    'tracon run support "Hello" --json',
  ],
  positionals: [2, 2],

  async run(input, terminal) {
    const [agent = "", message = ""] = input.positionals;
    const { config, env } = await loadConfig(input, terminal);
    const tracon = await createTracon(config, { env });
    try {
      const { culture, session } = input.values;
      const request = {
        message,
        ...(typeof culture === "string" ? { culture } : {}),
        ...(typeof session === "string" ? { sessionId: session } : {}),
      };
      const options = { signal: terminal.interrupted };
      if (input.values.json === true) {
        const result = await tracon.run(agent, request, options).catch(resultOf);
        terminal.out(`${JSON.stringify(result)}\n`);
        return result.status === "Completed" ? EXIT.ok : EXIT.badAnswer;
      }
      let exit: (typeof EXIT)[keyof typeof EXIT] = EXIT.badAnswer;
      for await (const frame of tracon.stream(agent, request, options)) {
        show(frame, terminal);
        if (frame.event === "done") exit = EXIT.ok;
      }
      return exit;
    } finally {
      await tracon.close();
    }
  },
};

/** A loop that failed its run throws, with the result all the same. */
function resultOf(error: unknown): RunResult {
  const result = TraconError.is(error, LOOP_UNSATISFIED)
    ? error.details.extensions?.result
    : undefined;
  if (result === undefined) throw error;
  return result as RunResult;
}

function show(frame: RunFrame, { out, err }: Terminal): void {
  switch (frame.event) {
    case "run":
      err(`run ${frame.data.runId}\n`);
      break;
    case "update": {
      const { data } = frame;
      if (data.kind === "text") out(data.text);
      else if (data.kind === "toolCall") err(`→ ${data.toolName} ${data.arguments ?? ""}\n`);
      else if (data.kind === "toolResult") err(`← ${data.result ?? data.error ?? ""}\n`);
      break;
    }
    case "loop.iteration-completed":
      // Each iteration writes an answer of its own.
      out("\n");
      err(`${decision(frame.data)}\n`);
      break;
    case "approvals":
      for (const { requestId, toolName, arguments: given = "" } of frame.data.approvals) {
        err(`? ${toolName} ${given} waits: tracon approvals decide ${requestId} yes|no\n`);
      }
      break;
    case "done":
      out("\n");
      err(`${summary(frame.data)}\n`);
      break;
    case "error":
      err(`\n${frame.data.title}: ${frame.data.detail}\n`);
      break;
    default:
      break;
  }
}

type Iteration = Extract<RunFrame, { event: "loop.iteration-completed" }>["data"];

/** `↻ iteration 1: continued by agentReview (reviewer v3)`. */
function decision(data: Iteration): string {
  const { iteration, continued, continuedBy, failedCriterion, ceilingReached, criteria } = data;
  const reviewer = criteria.at(-1)?.reviewer;
  const by = reviewer === undefined ? "" : ` (${reviewer.agent} v${reviewer.version ?? "?"})`;
  const decided = continued
    ? `continued by ${continuedBy ?? "a criterion"}${by}`
    : `satisfied${by}`;
  const what = failedCriterion === undefined ? decided : `${failedCriterion} failed`;
  return `↻ iteration ${iteration}: ${what}${ceilingReached === true ? ", and none is left" : ""}`;
}

function summary({ usage, cost, modelProvider, modelId }: RunResult): string {
  const tokens =
    usage?.totalTokens === undefined ? "tokens unknown" : `${usage.totalTokens} tokens`;
  const price =
    cost?.totalCost === undefined ? "cost unknown" : `${cost.totalCost} ${cost.currency ?? ""}`;
  return [`${modelProvider ?? "?"}/${modelId ?? "?"}`, tokens, price.trim()].join(" · ");
}
