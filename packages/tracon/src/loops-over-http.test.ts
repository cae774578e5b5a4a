/** An agent with a loop, saved and run over HTTP. */

import { memoryLog, scriptedModel } from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import { covers } from "../../../e2e/requirements/covers.ts";
import { createTracon } from "./create-tracon.ts";

const writer = (loop: object) => ({
  name: "writer",
  model: { provider: "test", model: "m" },
  harness: { disableCompaction: true, loop },
});
const marked = { criteria: [{ kind: "completionMarker", marker: "ALL DONE" }] };

it(
  "answers JSON with the final iteration only, and streams every iteration with its decision behind it",
  covers("loop.json-answer-is-final", "loop.native-stream-iteration-frame"),
  async () => {
    const { post, stream } = await start(["One.", "Two. ALL DONE", "One.", "Two. ALL DONE"]);
    await post("/api/agents", writer(marked));

    const answer = await post("/api/agents/writer/run", { message: "Write." });
    const frames = await stream("/api/agents/writer/run", { message: "Write." });

    expect(answer.body).toMatchObject({
      status: "Completed",
      output: "Two. ALL DONE",
      iterations: 2,
    });
    expect(frames.map(({ event }) => event)).toEqual([
      "run",
      "update",
      "loop.iteration-completed",
      "update",
      "loop.iteration-completed",
      "done",
    ]);
    expect(frames.flatMap(({ event, data }) => (event === "update" ? [data] : []))).toEqual([
      { iteration: 1, kind: "text", text: "One." },
      { iteration: 2, kind: "text", text: "Two. ALL DONE" },
    ]);
    expect(frames[2]?.data).toEqual({
      iteration: 1,
      continued: true,
      continuedBy: "completionMarker",
      criteria: [{ kind: "completionMarker", decision: "continue" }],
    });
  },
);

it(
  "ends the stream of a loop that fails its run with a problem that names it",
  covers("fail-run.stream-text-before-error"),
  async () => {
    const { post, stream } = await start(["One."]);
    await post("/api/agents", writer({ ...marked, maxIterations: 1, onExhausted: "FailRun" }));

    const frames = await stream("/api/agents/writer/run", { message: "Write." });

    expect(frames.map(({ event }) => event)).toEqual([
      "run",
      "update",
      "loop.iteration-completed",
      "error",
    ]);
    expect(frames.at(-1)?.data).toMatchObject({ status: 422, code: "loop_unsatisfied" });
  },
);

it(
  "keeps outcomes by their names, and refuses a loop that is none with every finding",
  covers(
    "fail-run.values-are-names",
    "fail-run.unknown-name-400",
    "loop.ceiling-must-be-positive",
    "loop.needs-criterion",
  ),
  async () => {
    const { post, get } = await start([]);

    await post("/api/agents", writer({ ...marked, onExhausted: "FailRun" }));
    const refused = await post("/api/agents", {
      ...writer({ criteria: [], maxIterations: 0, onExhausted: "Never" }),
      name: "other",
    });

    expect((await get("/api/agents/writer")).body).toMatchObject({
      definition: {
        harness: { loop: { onExhausted: "FailRun", onCriterionError: "ReturnLastResponse" } },
      },
    });
    expect(refused).toMatchObject({
      status: 400,
      body: {
        code: "definition_invalid",
        findings: [
          { code: "loop_outcome_invalid", path: "harness.loop.onExhausted" },
          { code: "loop_criteria_empty", path: "harness.loop.criteria" },
          { code: "loop_max_iterations_invalid", path: "harness.loop.maxIterations" },
        ],
      },
    });
    expect((await get("/api/agents")).body).toHaveLength(1);
  },
);

type Frame = { readonly event: string; readonly data: unknown };

async function start(script: readonly string[]) {
  const tracon = await createTracon(
    {
      storage: "memory:",
      providers: { test: { languageModel: () => scriptedModel(script) } },
      log: memoryLog(),
    },
    { env: {} },
  );
  onTestFinished(() => tracon.close({ graceMs: 0 }));

  const send = (path: string, accept: string, body?: object) =>
    tracon.fetch(
      new Request(`http://localhost/tracon${path}`, {
        headers: { "content-type": "application/json", accept },
        ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      }),
    );
  const ask = async (path: string, body?: object) => {
    const response = await send(path, "application/json", body);
    return { status: response.status, body: (await response.json()) as unknown };
  };
  const stream = async (path: string, body: object): Promise<readonly Frame[]> => {
    const text = await (await send(path, "text/event-stream", body)).text();
    return text.split("\n\n").flatMap((frame) => {
      const event = /^event: (.+)$/m.exec(frame)?.[1];
      const data = /^data: (.+)$/m.exec(frame)?.[1] ?? "null";
      return event === undefined ? [] : [{ event, data: JSON.parse(data) as unknown }];
    });
  };
  return { post: ask, get: (path: string) => ask(path), stream };
}
