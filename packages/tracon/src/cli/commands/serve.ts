import { parseDuration, TraconError } from "@tracon/core";
import { createTracon } from "../../create-tracon.ts";
import { listen } from "../../http/listen.ts";
import { type Command, configHelp, configOptions, EXIT, textOf } from "../command.ts";
import { loadConfig } from "../load-config.ts";
import { welcome } from "../welcome.ts";

const DEFAULT_GRACE_MS = 30_000;
const MAX_GRACE_MS = 86_400_000;

export const serve: Command = {
  name: "serve",
  summary: "Serve the HTTP API and the console",
  usage: "[options]",
  options: {
    ...configOptions,
    port: { type: "string", short: "p" },
    host: { type: "string" },
    grace: { type: "string" },
    json: { type: "boolean" },
  },
  help: [
    ...configHelp,
    "-p, --port N        port; 0 picks a free one (default: TRACON_PORT, the file's, or 7717)",
    "    --host ADDRESS  address to listen on (default 127.0.0.1; others need a token)",
    "    --grace TIME    how long running runs may go on after SIGTERM or Ctrl+C (default 30s)",
    '    --json          print one JSON line {"url": …} once it answers',
    "",
    "TRACON_TOKEN sets the bearer token, DATABASE_URL the storage, TRACON_LOG_LEVEL what is logged.",
    "A second SIGTERM or Ctrl+C ends it at once.",
  ],
  examples: ["tracon serve", "tracon serve --port 0 --storage memory:", "tracon serve --json"],
  positionals: [0, 0],

  async run(input, terminal) {
    const { config, env } = await loadConfig(input, terminal);
    const host = textOf(input, "host") ?? config.server?.host ?? "127.0.0.1";
    const port = portOf(textOf(input, "port") ?? env.TRACON_PORT) ?? config.server?.port ?? 7_717;
    const graceMs = graceOf(textOf(input, "grace"));
    const allowRemote = !isLoopback(host);
    const tokenName = config.server?.token?.env;
    if (allowRemote && !hasToken(tokenName, env)) {
      throw new TraconError(
        "configuration_invalid",
        `listening on ${host} needs a token: set TRACON_TOKEN, or server.token in the configuration`,
      );
    }
    const tracon = await createTracon(config, { env, allowRemote });
    try {
      const server = await listen(tracon, { host, port });
      const url = `${server.origin}${tracon.prefix}`;
      if (input.values.json === true) terminal.out(`${JSON.stringify({ url })}\n`);
      else terminal.out(await welcome(tracon, { url, needsToken: hasToken(tokenName, env) }));
      await interruption(terminal.interrupted);
      const closed = server.close();
      // Runs end first, so that whoever waits for one still gets its answer.
      await tracon.close({ graceMs });
      server.endConnections();
      await closed;
    } finally {
      await tracon.close({ graceMs });
    }
    return EXIT.ok;
  },
};

function portOf(text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new TraconError("configuration_invalid", `'${text}' is not a port; use 0 to 65535`);
}

function graceOf(text: string | undefined): number {
  const graceMs = text === undefined ? DEFAULT_GRACE_MS : parseDuration(text);
  if (graceMs !== undefined && graceMs <= MAX_GRACE_MS) return graceMs;
  throw new TraconError("configuration_invalid", `'${text}' is no time to wait; use 0s to 24h`);
}

const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);

function hasToken(
  name: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  return Boolean(env.TRACON_TOKEN) || (name !== undefined && Boolean(env[name]));
}

async function interruption(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
