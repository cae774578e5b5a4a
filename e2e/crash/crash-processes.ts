/** Processes to kill: the product bundled once, the next one loading while the current one runs. */

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import type { ChildOrder, ChildReport } from "./crash-orders.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

export type BundledChild = { readonly file: string; remove(): void };

/** One file starts in a third of the time the sources need. */
export async function bundleChild(name = "crash-child"): Promise<BundledChild> {
  // Below `node_modules`, so that what is not bundled is found.
  const folder = join(root, "node_modules/.cache", `tracon-${name}-${process.pid}`);
  const conditions = ["@tracon/source", "node", "import", "default"];
  await build({
    configFile: false,
    root,
    logLevel: "error",
    resolve: { conditions },
    // `pg` is not made for bundling; it is loaded only where it is used.
    ssr: { noExternal: true, external: ["pg"], resolve: { conditions } },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: true,
      minify: false,
      rolldownOptions: {
        checks: { ineffectiveDynamicImport: false },
        input: {
          [name]: join(root, `e2e/crash/${name}.ts`),
          // The store looks for its worker beside its own file.
          "sqlite-worker": join(root, "packages/store/src/drivers/sqlite-worker.ts"),
        },
        output: { entryFileNames: "[name].js" },
      },
    },
  });
  return {
    file: join(folder, `${name}.js`),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export type ServingProcess = {
  readonly url: string;
  /** kill -9; resolves when the kernel has let go of it. */
  kill(): Promise<void>;
};

export type ProcessSource = {
  /** A process that has just opened the stores and answers. */
  next(order: ChildOrder): Promise<ServingProcess>;
  close(): Promise<void>;
};

export function processSource(file: string, cacheFolder: string): ProcessSource {
  let standby = load(file, cacheFolder);
  return {
    async next(order) {
      const child = standby;
      standby = load(file, cacheFolder);
      await child.loaded;
      child.process.send(order);
      const message = await reportOf(child.process);
      if (!("url" in message))
        throw new Error(`a process did not start: ${JSON.stringify(message)}`);
      return { url: message.url, kill: () => kill(child.process) };
    },
    close: () => kill(standby.process),
  };
}

function load(file: string, cacheFolder: string) {
  const process_ = fork(file, {
    execArgv: [],
    env: { NODE_COMPILE_CACHE: cacheFolder, TRACON_LOG_LEVEL: "warn" },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const loaded = reportOf(process_);
  // Who stands by at the end is killed without having been asked for.
  loaded.catch(() => undefined);
  return { process: process_, loaded };
}

async function reportOf(child: ChildProcess): Promise<ChildReport> {
  const died = once(child, "exit").then(([code, signal]) => {
    throw new Error(`the process ended (${code ?? signal}) instead of reporting`);
  });
  const [message] = await Promise.race([once(child, "message"), died]);
  return message as ChildReport;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}
