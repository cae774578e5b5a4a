import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TraconError } from "@tracon/core";
import { memoryLog, type ScriptedStep, scriptedModel } from "@tracon/testing";
import { afterEach, expect, it } from "vitest";
import { covers } from "../../../e2e/requirements/covers.ts";
import type { TraconConfig } from "./config/config.ts";
import { createTracon } from "./create-tracon.ts";
import { DEFAULT_MAX_ITERATIONS, LOOP_UNSATISFIED } from "./index.ts";
import type { Tracon } from "./tracon.ts";

const opened: Tracon[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((tracon) => tracon.close({ graceMs: 0 })));
});

it("runs an agent to its end", async () => {
  const tracon = await withModel(["Hello!"]);

  const result = await tracon.run("greeter", { message: "Hi" });

  expect(result).toMatchObject({
    status: "Completed",
    output: "Hello!",
    agentName: "greeter",
    modelProvider: "test",
    modelId: "m",
  });
});

it("resolves a run that failed, with its error", async () => {
  const tracon = await withModel([{ throws: new Error("no") }]);

  const result = await tracon.run("greeter", { message: "Hi" });

  expect(result).toMatchObject({ status: "Failed", error: { type: "provider_error" } });
});

it(
  "throws when a loop fails its run, with who was not satisfied and never what the model wrote",
  covers("fail-run.code-caller-throws", "fail-run.error-type-constant", "loop.default-constant"),
  async () => {
    const script = Array.from({ length: DEFAULT_MAX_ITERATIONS }, () => "A secret draft.");
    const tracon = await withModel(script);
    await tracon.agents.save({
      name: "writer",
      model: { provider: "test", model: "m" },
      harness: {
        disableCompaction: true,
        loop: {
          criteria: [{ kind: "completionMarker", marker: "ALL DONE" }],
          onExhausted: "FailRun",
        },
      },
    });

    const failure = await tracon.run("writer", { message: "Write." }).catch((error) => error);

    expect(TraconError.is(failure, LOOP_UNSATISFIED)).toBe(true);
    const [run] = await tracon.runs.list();
    expect(failure.details.extensions).toEqual({
      agentName: "writer",
      runId: run?.id,
      iterations: DEFAULT_MAX_ITERATIONS,
      unsatisfiedCriterion: "completionMarker",
      result: expect.objectContaining({ status: "Failed", output: "A secret draft." }),
    });
    expect(failure.message).not.toContain("secret");
    expect(run?.error?.type).toBe(LOOP_UNSATISFIED);
  },
);

it("estimates the prompt of a run, which it checks like one, and runs nothing", async () => {
  const tracon = await withModel([]);

  expect(await tracon.estimate("greeter", { message: "12345678" })).toMatchObject({
    promptTokens: 2,
    contextWindowTokens: null,
    wouldBeRejected: false,
  });
  await expect(tracon.estimate("greeter", { message: "" })).rejects.toMatchObject({
    code: "request_invalid",
  });
  expect(await tracon.runs.list()).toEqual([]);
});

it("runs and estimates the version asked for, and saves on the version read", async () => {
  const tracon = await withModel(["Hi."]);
  const definition = { name: "saved", model: { provider: "test", model: "m" } };
  await tracon.agents.save({ ...definition, instructions: "x".repeat(40) });
  await tracon.agents.save({ ...definition, instructions: "x" }, { basedOn: 1 });
  const request = { message: "Hi" };

  const stale = tracon.agents.save(definition, { basedOn: 1 });

  await expect(stale).rejects.toMatchObject({ code: "version_conflict" });
  expect(await tracon.estimate("saved", request, { agentVersion: 1 })).toMatchObject({
    promptTokens: 11,
  });
  expect(await tracon.run("saved", request, { agentVersion: 1 })).toMatchObject({
    agentVersion: 1,
  });
});

it("yields the frames of a stream from the first to the last", async () => {
  const tracon = await withModel([{ text: ["Hel", "lo!"] }]);

  const frames = await Array.fromAsync(tracon.stream("greeter", { message: "Hi" }));

  expect(frames.at(0)).toMatchObject({ event: "run", id: 0, data: { agentName: "greeter" } });
  expect(frames.at(-1)).toMatchObject({ event: "done", data: { output: "Hello!" } });
});

it("goes on with a run whose stream was left early", async () => {
  const tracon = await withModel([{ text: ["one ", "two"], chunkDelayMs: 1 }]);

  let runId = "";
  for await (const frame of tracon.stream("greeter", { message: "Hi" })) {
    if (frame.event === "run") runId = frame.data.runId;
    break;
  }
  const events = await Array.fromAsync(tracon.runs.events(runId));

  expect(events.at(-1)).toMatchObject({ type: "RunCompleted" });
  expect(await tracon.runs.get(runId)).toMatchObject({ status: "Completed" });
});

it("cancels a run when its signal fires", async () => {
  const tracon = await withModel([{ ends: "hang", text: "one " }]);
  const canceling = new AbortController();

  const running = tracon.run("greeter", { message: "Hi" }, { signal: canceling.signal });
  canceling.abort();

  expect(await running).toMatchObject({ status: "Canceled" });
});

it("cancels a run by its id", async () => {
  const tracon = await withModel([{ ends: "hang", text: "one " }]);
  const stream = tracon.stream("greeter", { message: "Hi" })[Symbol.asyncIterator]();
  const first = await stream.next();
  const runId = first.value?.event === "run" ? first.value.data.runId : "";

  await tracon.runs.cancel(runId);
  const events = await Array.fromAsync(tracon.runs.events(runId));

  expect(events.at(-1)).toMatchObject({ type: "RunCanceled" });
});

it("throws when a run cannot start", async () => {
  const tracon = await withModel([]);

  await expect(tracon.run("nobody", { message: "Hi" })).rejects.toMatchObject({
    code: "agent_not_found",
  });
  await expect(tracon.run("greeter", {})).rejects.toMatchObject({ code: "request_invalid" });
  await expect(Array.fromAsync(tracon.stream("nobody", { message: "Hi" }))).rejects.toMatchObject({
    code: "agent_not_found",
  });
});

it("keeps definitions in versions", async () => {
  const tracon = await withModel([]);
  const content = { name: "stored", model: { provider: "test", model: "m" } };

  const first = await tracon.agents.save({ ...content, description: "first" });
  await tracon.agents.save({ ...content, description: "second" });
  const restored = await tracon.agents.rollback("stored", 1);
  const versions = await tracon.agents.versions("stored");

  expect(first).toMatchObject({ created: true, definition: { version: 1 } });
  expect(restored.definition).toMatchObject({ version: 3, description: "first" });
  expect(versions.map(({ version }) => version)).toEqual([3, 2, 1]);
  expect(await tracon.agents.version("stored", 2)).toMatchObject({ description: "second" });

  await tracon.agents.delete("stored");

  await expect(tracon.agents.get("stored")).rejects.toMatchObject({ code: "agent_not_found" });
});

it("tells agents defined in code from stored ones", async () => {
  const tracon = await withModel([]);

  const save = tracon.agents.save({ name: "greeter", model: { provider: "test", model: "m" } });

  await expect(save).rejects.toMatchObject({ code: "agent_read_only" });
  expect(await tracon.agents.list()).toMatchObject([{ name: "greeter", origin: "Code" }]);
  expect(await tracon.agents.get("greeter")).toMatchObject({
    definition: null,
    isEditable: false,
  });
});

it("checks a definition without saving it", async () => {
  const tracon = await withModel([]);

  const report = await tracon.agents.validate({
    name: "new",
    model: { provider: "absent", model: "m" },
  });

  expect(report).toMatchObject({ valid: false, messages: [{ path: "model.provider" }] });
  expect(await tracon.agents.list()).toHaveLength(1);
});

it("reads runs, their input and their events", async () => {
  const tracon = await withModel(["one", "two"]);
  const first = await tracon.run("greeter", { message: "first" });
  const second = await tracon.run("greeter", { message: "second" });

  const listed = await tracon.runs.list({ agentName: "greeter" });
  const newest = await tracon.runs.list({}, { take: 1 });
  const input = await tracon.runs.input(first.runId);
  const rest = await Array.fromAsync(tracon.runs.events(second.runId, { after: 0 }));

  expect(listed.map(({ id }) => id)).toEqual([second.runId, first.runId]);
  expect(newest.map(({ id }) => id)).toEqual([second.runId]);
  expect(input.messages).toEqual([{ role: "user", contents: [{ $type: "text", text: "first" }] }]);
  expect(rest.map(({ sequence }) => sequence)).toEqual(rest.map((_, index) => index + 1));
  expect(await tracon.runs.toolInvocations(first.runId)).toEqual([]);
});

it("starts nothing new once it closes, and waits for what runs", async () => {
  const model = scriptedModel([{ text: "late", delayMs: 30 }]);
  const tracon = await open(configOf(model));
  const stream = tracon.stream("greeter", { message: "Hi" })[Symbol.asyncIterator]();
  await stream.next();

  const closing = tracon.close();

  await expect(tracon.run("greeter", { message: "Hi" })).rejects.toMatchObject({
    code: "draining",
  });
  await closing;
  model.assertDone();
});

it("answers that it is closing, and not with a fault, once it is closed", async () => {
  const tracon = await withModel([]);
  await tracon.close();

  const read = await tracon.fetch(new Request("http://localhost/tracon/api/runs"));
  const run = await tracon.fetch(
    new Request("http://localhost/tracon/api/agents/greeter/run", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ message: "Hi" }),
    }),
  );

  expect([read.status, run.status]).toEqual([503, 503]);
});

it("cancels what still runs when the grace is over", async () => {
  const tracon = await withModel([{ ends: "hang" }]);
  const stream = tracon.stream("greeter", { message: "Hi" })[Symbol.asyncIterator]();
  await stream.next();

  await tracon.close({ graceMs: 0 });

  expect(await stream.next()).toMatchObject({
    value: { event: "error", data: { code: "canceled" } },
  });
});

it("refuses a run that was about to start when it was closed", async () => {
  const tracon = await withModel([{ ends: "hang" }]);

  const running = tracon.run("greeter", { message: "Hi" });
  const closing = tracon.close({ graceMs: 0 });

  await expect(running).rejects.toMatchObject({ code: "draining" });
  await closing;
});

it("creates no file when the configuration is refused", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tracon-"));
  try {
    const creating = createTracon(
      {
        storage: `sqlite:${join(folder, "new", "tracon.db")}`,
        agents: [{ name: "lost", model: { provider: "absent", model: "m" } }],
      },
      { env: {} },
    );

    await expect(creating).rejects.toSatisfy((error) =>
      TraconError.is(error, "configuration_invalid"),
    );
    expect(readdirSync(folder)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("reports through the log it is given, without what a provider said", async () => {
  const log = memoryLog();
  const model = scriptedModel([{ throws: new Error("provider text") }]);
  const tracon = await open({ ...configOf(model), log });

  const result = await tracon.run("greeter", { message: "a private question" });

  expect(JSON.stringify(result)).not.toContain("provider text");
  expect(log.entries.map(({ level }) => level)).toEqual(["warn"]);
  expect(JSON.stringify(log.entries)).not.toContain("a private question");
});

async function withModel(script: readonly ScriptedStep[]): Promise<Tracon> {
  return open(configOf(scriptedModel(script)));
}

const configOf = (model: ReturnType<typeof scriptedModel>): TraconConfig => ({
  providers: { test: { languageModel: () => model } },
  agents: [{ name: "greeter", model: { provider: "test", model: "m" } }],
  storage: "memory:",
  log: memoryLog(),
});

async function open(config: TraconConfig): Promise<Tracon> {
  const tracon = await createTracon(config, { env: {} });
  opened.push(tracon);
  return tracon;
}
