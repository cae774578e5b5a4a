import { finding, TraconError } from "@tracon/core";
import { expect, it } from "vitest";
import { createProblemDescriber } from "./problem.ts";
import { fakeEngine, OTHER_RUN_ID } from "./testing/fake-engine.ts";
import { jsonBody, problemIn, testServer } from "./testing/test-server.ts";

const failingWith = (error: unknown) =>
  testServer({ engine: fakeEngine({ agents: { list: () => Promise.reject(error) } }) });

it("turns an error into problem details with its status and code", async () => {
  const response = await testServer().ask("/tracon/api/agents/nobody");

  expect(response.status).toBe(404);
  expect(await problemIn(response)).toEqual({
    type: "/tracon/docs#agent_not_found",
    title: "There is no agent of that name",
    status: 404,
    detail: "there is no agent 'nobody'",
    code: "agent_not_found",
  });
});

it("carries all findings of a definition", async () => {
  const body = jsonBody({ name: "-", model: { provider: "p" }, nonsense: 1 });

  const response = await testServer().ask("/tracon/api/agents", body);

  expect(response.status).toBe(400);
  const { code, findings } = await problemIn(response);
  expect(code).toBe("definition_invalid");
  expect((findings as { path: string }[]).map(({ path }) => path).sort()).toEqual([
    "model.model",
    "name",
    "nonsense",
  ]);
});

it("carries further members of an error, but none that changes what a problem says", async () => {
  const extensions = { missingParameters: ["city"], status: 200, code: "fine", detail: "fine" };
  const server = failingWith(
    new TraconError("request_invalid", "a value is missing", { extensions }),
  );

  const response = await server.ask("/tracon/api/agents");

  expect(await problemIn(response)).toMatchObject({
    missingParameters: ["city"],
    status: 400,
    code: "request_invalid",
    detail: "a value is missing",
  });
});

it("says nothing of a fault but a trace id, under which the log has the rest", async () => {
  const server = failingWith(new Error("password is hunter2", { cause: new Error("deep down") }));

  const response = await server.ask("/tracon/api/agents");

  expect(response.status).toBe(500);
  const text = await response.text();
  expect(text).not.toMatch(/hunter2|deep down|at .*\.ts/);
  const { traceId } = JSON.parse(text);
  expect(traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(server.logged).toHaveLength(1);
  expect(server.logged[0]?.fields).toMatchObject({ traceId });
  expect(server.logged[0]?.fields.error).toMatch(/hunter2[\s\S]*caused by: Error: deep down/);
});

it("takes whatever is thrown for a fault", async () => {
  const response = await failingWith("a text").ask("/tracon/api/agents");

  expect(response.status).toBe(500);
});

it("logs a store that does not answer, with its cause", async () => {
  const cause = new Error("connection refused");
  const server = failingWith(new TraconError("store_unavailable", "the store is away", { cause }));

  const response = await server.ask("/tracon/api/agents");

  expect(response.status).toBe(503);
  expect(server.logged[0]?.fields.error).toMatch(/connection refused/);
});

it("logs nothing of what callers do wrong", async () => {
  const server = testServer();

  await server.ask("/tracon/api/agents/nobody");
  await server.ask("/tracon/api/nothing");

  expect(server.logged).toEqual([]);
});

it("answers a run that is not there and one that cannot be in the same words", async () => {
  const missing = await problemIn(await testServer().ask(`/tracon/api/runs/${OTHER_RUN_ID}`));
  const impossible = await problemIn(await testServer().ask("/tracon/api/runs/17"));

  expect(impossible).toEqual(missing);
});

it("shows a bounded part of more findings than anyone reads", async () => {
  const findings = Array.from({ length: 5_000 }, (_, index) =>
    finding("unknown_member", `k${index}`, "x".repeat(100_000)),
  );
  const server = failingWith(new TraconError("request_invalid", "findings", { findings }));

  const response = await server.ask("/tracon/api/agents");

  const text = await response.text();
  expect(text.length).toBeLessThan(300_000);
  const problem = JSON.parse(text);
  expect(problem.findings).toHaveLength(200);
  expect(problem.findingsOmitted).toBe(4_800);
});

it("describes the failure of a run for the end of its stream", () => {
  const describeProblem = createProblemDescriber("/x/");
  const fault = { detail: "the provider did not answer", runId: "r" };

  const known = describeProblem({ ...fault, code: "timeout" });
  const unknown = describeProblem({ ...fault, code: "__proto__" });

  expect(known).toEqual({
    type: "/x/docs#timeout",
    title: "The model provider did not answer in time",
    status: 504,
    code: "timeout",
    ...fault,
  });
  expect(unknown).toMatchObject({ status: 500, code: "__proto__" });
});
