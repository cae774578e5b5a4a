/** `http.ts SUBJECT STORE`: runs over HTTP, 64 in flight, with a model that answers at once. */

import { httpLoad } from "../http-load.ts";
import { finish, setting } from "../job.ts";
import { startServer } from "../servers/control.ts";

const [name = "", store = ""] = process.argv.slice(2);
const server = await startServer(`./${name}.ts`, [store]);
const load = {
  path: "/tracon/api/agents/support/run",
  accept: "application/json",
  inFlight: 64,
} as const;

await httpLoad(server, { ...load, budgetMs: setting.budgetMs });
const json = await httpLoad(server, { ...load, budgetMs: setting.budgetMs * 2 });
await server.stop();

finish({ json });
