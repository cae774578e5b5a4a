import { TraconError } from "@tracon/core";
import { createTracon } from "../../create-tracon.ts";
import { listen } from "../../http/listen.ts";
import { type Command, configHelp, configOptions, EXIT, textOf } from "../command.ts";
import { loadConfig } from "../load-config.ts";
import { welcome } from "../welcome.ts";

export const serve: Command = {
  name: "serve",
  summary: "Serve the HTTP API and the console",
  usage: "[options]",
  options: {
    ...configOptions,
    port: { type: "string", short: "p" },
    host: { type: "string" },
    json: { type: "boolean" },
  },
  help: [
    ...configHelp,
    "-p, --port N        port; 0 picks a free one (default: TRACON_PORT, the file's, or 7717)",
    "    --host ADDRESS  address to listen on (default 127.0.0.1; others need a token)",
    '    --json          print one JSON line {"url": …} once it answers',
    "",
    "TRACON_TOKEN sets the bearer token, DATABASE_URL the storage.",
  ],
  examples: ["tracon serve", "tracon serve --port 0 --storage memory:", "tracon serve --json"],
  positionals: [0, 0],

  async run(input, terminal) {
    const { config, env } = await loadConfig(input, terminal);
    const host = textOf(input, "host") ?? config.server?.host ?? "127.0.0.1";
    const port = portOf(textOf(input, "port") ?? env.TRACON_PORT) ?? config.server?.port ?? 7_717;
    const allowRemote = !isLoopback(host);
    if (allowRemote && !hasToken(config.server?.token?.env, env)) {
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
      else terminal.out(await welcome(tracon, url));
      await interruption(terminal.interrupted);
      await server.close();
    } finally {
      await tracon.close();
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
