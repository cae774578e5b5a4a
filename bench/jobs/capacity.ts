/**
 * `capacity.ts STORE`: the capacity profile of the original, 64 runs in flight over HTTP with a
 * model that takes a second: two turns of 500 ms, the second in 20 waits of 25 ms when streaming.
 */

import { ANSWER } from "../fixture.ts";
import { type HttpLoad, httpLoad } from "../http-load.ts";
import { finish, setting } from "../job.ts";
import { startServer } from "../servers/control.ts";

const MODEL_MS = 1_000;
const PIECES = 20;
const PIECE = ANSWER.slice(0, 256);

const [name = "", store = ""] = process.argv.slice(2);
const server = await startServer(`./${name}.ts`, [store]);
const windowMs = Math.max(setting.budgetMs * 4, MODEL_MS * 2);
const load = { path: "/tracon/api/agents/support/run", inFlight: 64 };

await server.ask("script", { thinkMs: MODEL_MS / 2, answerMs: MODEL_MS / 2 });
const json = await profile("application/json");
await server.ask("script", { deltas: new Array(PIECES).fill(PIECE), deltaMs: 25, answerMs: 0 });
const sse = await profile("text/event-stream");
await server.stop();

finish({ json, sse });

async function profile(accept: "application/json" | "text/event-stream") {
  await httpLoad(server, { ...load, accept, budgetMs: MODEL_MS });
  const measured: HttpLoad = await httpLoad(server, { ...load, accept, budgetMs: windowMs });
  return { ...measured, addedP50: measured.p50 - MODEL_MS, addedP99: measured.p99 - MODEL_MS };
}
