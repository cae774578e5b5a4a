/**
 * `capacity.ts STORE`: the capacity profile of the original, 64 runs in flight over HTTP with a
 * model that takes a second: two turns of 500 ms, the second in 20 waits of 25 ms when streaming.
 */

import { ANSWER, type Script } from "../fixture.ts";
import { httpLoad, type LoadOptions } from "../http-load.ts";
import { finish, setting } from "../job.ts";
import { startServer } from "../servers/control.ts";

const MODEL_MS = 1_000;
const PIECES = 20;
const PIECE = ANSWER.slice(0, 256);

const [name = "", store = ""] = process.argv.slice(2);
const server = await startServer(`./${name}.ts`, [store]);
const windowMs = Math.max(setting.budgetMs * 4, MODEL_MS * 2);
const load = { path: "/tracon/api/agents/support/run", inFlight: 64 };

const whole = { thinkMs: MODEL_MS / 2, answerMs: MODEL_MS / 2 };
const json = await profile("application/json", whole);
const pieces = { deltas: new Array(PIECES).fill(PIECE), answerMs: 0, deltaMs: 25 };
const sse = await profile("text/event-stream", pieces);
await server.stop();

finish({ json, sse });

/** The original warms up for 15 s, which are about as many runs as here without the model's time. */
async function profile(accept: LoadOptions["accept"], script: Partial<Script>) {
  const atOnce = { ...script, thinkMs: 0, answerMs: 0, deltaMs: 0 };
  await server.ask("script", atOnce);
  await httpLoad(server, { ...load, accept, budgetMs: MODEL_MS });
  await server.ask("script", { ...atOnce, thinkMs: MODEL_MS / 2, ...script });
  await httpLoad(server, { ...load, accept, budgetMs: MODEL_MS });
  const measured = await httpLoad(server, { ...load, accept, budgetMs: windowMs });
  return { ...measured, addedP50: measured.p50 - MODEL_MS, addedP99: measured.p99 - MODEL_MS };
}
