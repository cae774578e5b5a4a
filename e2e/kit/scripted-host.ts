/** A Tracon on a socket whose agents answer from a script. */

import {
  type MemoryLog,
  memoryLog,
  type ScriptedStep,
  scriptedModel,
  startTestHost,
  type TestHost,
} from "@tracon/testing";
import { createTracon, type Tracon, type TraconConfig } from "tracon";
import { type Api, tracon } from "./tracon-api.ts";

export type ScriptedHost = {
  readonly host: TestHost<Tracon>;
  readonly api: Api;
  readonly log: MemoryLog;
  /** What the model was sent, call by call. */
  readonly calls: ReturnType<typeof scriptedModel>["calls"];
};

/** Agents of the configuration name the model `m` of the provider `test`. */
export async function startScriptedHost(
  script: readonly ScriptedStep[],
  config: TraconConfig = {},
): Promise<ScriptedHost> {
  const model = scriptedModel(script);
  const log = memoryLog();
  const host = await startTestHost(() =>
    createTracon(
      {
        storage: "memory:",
        ...config,
        providers: { test: { languageModel: () => model } },
        log,
      },
      { env: {} },
    ),
  );
  return { host, api: tracon(host.url), log, calls: model.calls };
}
