import { createTraconClient } from "@tracon/client";
import { type ApprovalDecisionRequest, type PendingApproval, TraconError } from "@tracon/core";
import { createTracon } from "../../create-tracon.ts";
import {
  type Command,
  type CommandInput,
  configHelp,
  configOptions,
  EXIT,
  type Terminal,
  textOf,
} from "../command.ts";
import { loadConfig } from "../load-config.ts";

export const approvals: Command = {
  name: "approvals",
  summary: "List tool calls that wait for a decision, and decide them",
  usage: "list | decide <id> yes|no [options]",
  options: {
    ...configOptions,
    url: { type: "string" },
    reason: { type: "string" },
    remember: { type: "boolean" },
    json: { type: "boolean" },
  },
  help: [
    ...configHelp,
    "    --url URL       a running server instead, with its prefix; TRACON_TOKEN is its token",
    "    --reason TEXT   with no: what the model reads",
    "    --remember      with yes: never ask again for this tool of this agent",
    "    --json          print what was answered as one JSON line",
    "",
    "Once all calls of a run are decided, the run goes on; without --url in this process.",
  ],
  examples: [
    "tracon approvals list --url http://127.0.0.1:7717/tracon",
    'tracon approvals decide 01993c1e-7d2b-7a54-9c0e-4a1b2c3d4e5f no --reason "use ticket 7"',
  ],
  positionals: [1, 3],

  async run(input, terminal) {
    const [what, id = "", answer = ""] = input.positionals;
    const isList = what === "list" && input.positionals.length === 1;
    const isDecision = what === "decide" && (answer === "yes" || answer === "no");
    if (!isList && !isDecision) {
      terminal.err("write 'approvals list' or 'approvals decide <id> yes|no'\n");
      return EXIT.usage;
    }
    const mailbox = await openMailbox(input, terminal);
    try {
      if (isList) show(await mailbox.pending(), input, terminal);
      else show([await mailbox.decide(id, decisionOf(input, answer === "yes"))], input, terminal);
      return EXIT.ok;
    } finally {
      await mailbox.close();
    }
  },
};

function decisionOf(input: CommandInput, approved: boolean): ApprovalDecisionRequest {
  const reason = textOf(input, "reason");
  return {
    approved,
    ...(reason === undefined ? {} : { reason }),
    ...(input.values.remember === true ? { remember: true } : {}),
  };
}

type Mailbox = {
  pending(): Promise<readonly PendingApproval[]>;
  decide(id: string, decision: ApprovalDecisionRequest): Promise<PendingApproval>;
  close(): Promise<void>;
};

/** Calls listed at once: more of them are decided elsewhere than in a terminal. */
const MAX_LISTED = 200;

async function openMailbox(input: CommandInput, terminal: Terminal): Promise<Mailbox> {
  const url = textOf(input, "url");
  if (url !== undefined) return serverMailbox(url, terminal);
  const { config, env } = await loadConfig(input, terminal);
  const tracon = await createTracon(config, { env });
  return {
    pending: () => tracon.approvals.pending({ take: MAX_LISTED }),
    decide: (id, decision) => tracon.approvals.decide(id, decision),
    close: () => tracon.close(),
  };
}

function serverMailbox(url: string, { env, interrupted: signal }: Terminal): Mailbox {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? "")) {
    const message = `'${url}' is not the address of a server; write http://host:port/tracon`;
    throw new TraconError("configuration_invalid", message);
  }
  const token = env.TRACON_TOKEN;
  const client = createTraconClient({ baseUrl: url, ...(token === undefined ? {} : { token }) });
  return {
    pending: async () => (await client.approvals.pending({ take: MAX_LISTED }, { signal })).items,
    decide: (id, decision) => client.approvals.decide(id, decision, { signal }),
    close: async () => undefined,
  };
}

function show(
  approvals: readonly PendingApproval[],
  { values }: CommandInput,
  { out, err }: Terminal,
): void {
  if (values.json === true) {
    out(`${JSON.stringify(approvals)}\n`);
    return;
  }
  for (const { id, agentName, toolName, arguments: given = "", ...approval } of approvals) {
    const message = approval.presentation?.message;
    out(`${id}  ${approval.status}  ${agentName}  ${toolName} ${given}\n`);
    if (message !== undefined) out(`    ${message}\n`);
    out(`    expires ${approval.expiresAt}, goes on as run ${approval.continuationRunId}\n`);
  }
  if (approvals.length === 0) err("nothing waits for a decision\n");
}
