/** How a job talks with the server it measures: one that runs in a process of its own. */

import type { Serializable } from "node:child_process";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { cpuNow } from "../measure.ts";

type Command = {
  readonly id: number;
  readonly name: string;
  readonly argument: Serializable | null;
};

/** A server in its own process. */
export type ControlledServer = {
  readonly port: number;
  /** Sends a command of the server's own. */
  ask<Result = undefined>(name: string, argument?: Serializable): Promise<Result>;
  /** CPU the server has used, in microseconds. */
  cpuUs(): Promise<number>;
  stop(): Promise<void>;
};

/** Starts the server of a file beside this one and waits until it listens. */
export async function startServer(
  file: string,
  args: readonly string[],
): Promise<ControlledServer> {
  const child = fork(new URL(file, import.meta.url), args, {
    execArgv: ["--expose-gc", "--conditions=@tracon/source"],
  });
  const { port } = (await messageOf(child, "listening")) as { readonly port: number };
  let lastId = 0;
  const ask = async <Result>(
    name: string,
    argument: Serializable | null = null,
  ): Promise<Result> => {
    lastId += 1;
    const id = lastId;
    child.send({ id, name, argument } satisfies Command);
    return ((await messageOf(child, id)) as { readonly answer: Result }).answer;
  };
  return {
    port,
    ask,
    cpuUs: () => ask("cpu"),
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

function messageOf(child: ChildProcess, id: string | number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: unknown) => {
      if ((message as { readonly id: unknown }).id !== id) return;
      child.off("message", onMessage);
      child.off("exit", onExit);
      resolve(message);
    };
    const onExit = () => reject(new Error("the server ended"));
    child.on("message", onMessage);
    child.once("exit", onExit);
  });
}

/** The server's side: answers commands until it is stopped. */
export function serveCommands(
  port: number,
  commands: Readonly<Record<string, (argument: never) => unknown>>,
): void {
  const answer = async ({ id, name, argument }: Command): Promise<void> => {
    const value = name === "cpu" ? cpuNow() : await commands[name]?.(argument as never);
    process.send?.({ id, answer: value ?? null });
  };
  process.on("message", (command: Command) => void answer(command));
  process.on("disconnect", () => process.exit());
  process.send?.({ id: "listening", port });
}
