/** Drives a run endpoint over HTTP from the job's process. */

import { Agent, request } from "node:http";
import { USER_MESSAGE } from "./fixture.ts";
import type { ControlledServer } from "./servers/control.ts";
import { quantile } from "./statistics.ts";

/** Times are milliseconds, CPU is the server's, in microseconds a run. */
export type HttpLoad = {
  readonly samples: number;
  readonly runsPerSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly cpuUs: number;
};

export type LoadOptions = {
  readonly path: string;
  readonly accept: "application/json" | "text/event-stream";
  readonly inFlight: number;
  readonly budgetMs: number;
};

const BODY = JSON.stringify({ message: USER_MESSAGE });
/** The answer alone has 5 KB; less is not an answer. */
const LEAST_BYTES = 5_120;

/** `inFlight` runs at any time for `budgetMs`; those under way at its end count too. */
export async function httpLoad(server: ControlledServer, options: LoadOptions): Promise<HttpLoad> {
  const agent = new Agent({ keepAlive: true, maxSockets: 512 });
  const times: number[] = [];
  const cpu = await server.cpuUs();
  const start = performance.now();
  const end = start + options.budgetMs;
  const member = async () => {
    while (performance.now() < end) {
      const sent = performance.now();
      await runOnce(server.port, agent, options);
      times.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: options.inFlight }, member));
  const seconds = (performance.now() - start) / 1_000;
  const cpuUs = ((await server.cpuUs()) - cpu) / times.length;
  agent.destroy();
  times.sort((a, b) => a - b);
  return {
    samples: times.length,
    runsPerSecond: times.length / seconds,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    cpuUs,
  };
}

function runOnce(port: number, agent: Agent, { path, accept }: LoadOptions): Promise<void> {
  const headers = {
    accept,
    "content-type": "application/json",
    "content-length": Buffer.byteLength(BODY),
  };
  return new Promise((resolve, reject) => {
    const call = request(
      { port, host: "127.0.0.1", method: "POST", path, agent, headers },
      (response) => {
        let bytes = 0;
        response.on("data", (chunk: Buffer) => {
          bytes += chunk.length;
        });
        response.on("error", reject);
        response.on("end", () => {
          if (response.statusCode === 200 && bytes >= LEAST_BYTES) resolve();
          else reject(new Error(`HTTP ${response.statusCode} with ${bytes} bytes`));
        });
      },
    );
    call.on("error", reject);
    call.end(BODY);
  });
}
