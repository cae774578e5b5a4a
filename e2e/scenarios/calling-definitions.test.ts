/** Odd definitions of agents that call others and loop, from their validation to their run, on every store. */

import { storeMatrix } from "@tracon/testing";
import { tool } from "ai";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { callingDefinitions, leadsInto } from "../fuzz/calling-definitions.ts";
import { problemsOf } from "../fuzz/openapi-requests.ts";
import { type AgentsHost, ask, ofScript, startAgentsHost } from "../kit/agents-host.ts";

const RUNS = Number(process.env.TRACON_DEFINITION_RUNS ?? 150);
/** What an answer shows of findings. */
const MOST_FINDINGS = 200;
const MODEL = { provider: "test", model: "m" };
const BASE = { name: "fuzzed", model: MODEL };

type Finding = { readonly code: string; readonly path: string; readonly severity: string };

describe.each(storeMatrix())("on $engine", ({ newUrl }) => {
  let host: AgentsHost;
  beforeAll(async () => {
    const answer = ({ tools = [] }: { tools?: readonly { name: string }[] }, index: number) => {
      const { name = "" } = tools[index % (tools.length + 1)] ?? {};
      return name === "" ? `Answer ${index}.` : ask(name);
    };
    host = await startAgentsHost({
      storage: await newUrl(),
      agentGraph: { maxTotalTokens: 4_000, maxTotalRuns: 3 },
      scripts: { test: Array(200_000).fill(answer) },
      judge: MODEL,
      loopEvaluators: {
        mine: { evaluate: ({ iteration }) => ({ decision: iteration > 1 ? "stop" : "continue" }) },
      },
      tools: { helper: tool({ inputSchema: z.object({}), execute: () => "helped" }) },
      agents: [{ name: "coded", model: MODEL }],
    });
    for (const instructions of ["One.", "Two."]) {
      const helper = ofScript({ name: "helper", model: MODEL, instructions });
      await host.api.json("PUT", "/api/agents/helper", helper);
    }
  });
  afterAll(() => host.host.close());

  it(`answers for ${RUNS} odd definitions, and runs what it saved`, {
    timeout: 120_000,
  }, async () => {
    const saved = { count: 0, refused: 0 };

    await fc.assert(
      fc.asyncProperty(callingDefinitions(BASE), async ({ text, value }) => {
        const validated = await send("POST", "/api/agents/validate", text);
        const answered = await send("PUT", "/api/agents/fuzzed", text);

        expect([
          ...(await problemsOf(validated.clone())),
          ...(await problemsOf(answered.clone())),
        ]).toEqual([]);
        const report = await validated.json();
        const body = await answered.json();
        expect([200, 201, 400, 413]).toContain(answered.status);
        expect(answered.status < 300).toBe(report.valid === true);
        // What cannot be read at all is no report.
        const findings: readonly Finding[] = report.messages ?? report.findings ?? [];
        expect(findings.length).toBeLessThanOrEqual(MOST_FINDINGS);
        expect(findings.filter(({ path }) => !leadsInto(value, path))).toEqual([]);
        if (answered.status === 400) {
          saved.refused++;
          expect(body.findings.length).toBeGreaterThan(0);
          expect(codesOf(body.findings)).toEqual(codesOf(findings));
          return;
        }
        saved.count++;
        const run = await send("POST", "/api/agents/fuzzed/run", '{"message":"Go."}');
        expect(await problemsOf(run.clone())).toEqual([]);
        expect(["Completed", "Failed"]).toContain((await run.json()).status);
      }),
      { numRuns: RUNS },
    );

    expect(saved.count).toBeGreaterThan(RUNS / 20);
    expect(saved.refused).toBeGreaterThan(RUNS / 5);
    expect(host.log.entries.filter(({ level }) => level === "error")).toEqual([]);
    const running = "/api/runs?status=Running&includeChildren=true";
    expect((await host.api.json("GET", running)).body).toEqual([]);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it("takes as many agents and criteria as a definition may have, and not one more", async () => {
    const names = Array.from({ length: 256 }, (_, index) => `callee-${index}`);
    await Promise.all(
      names.map((name) => host.api.json("PUT", `/api/agents/${name}`, { name, model: MODEL })),
    );
    const criteria = Array.from({ length: 256 }, (_, index) =>
      index % 2 === 0 ? { kind: "mine" } : { kind: "completionMarker", marker: "Answer" },
    );
    const large = {
      ...BASE,
      name: "large",
      callableAgents: names,
      subAgents: { callMode: "Tool" },
      harness: { disableCompaction: true, loop: { criteria, maxIterations: 3 } },
    };

    const saved = await host.api.json("PUT", "/api/agents/large", large);
    const result = await host.api.run("large");
    const more = await host.api.json("PUT", "/api/agents/large", {
      ...large,
      callableAgents: [...names, "helper"],
      harness: { loop: { criteria: [...criteria, { kind: "mine" }] } },
    });

    expect(saved.status).toBe(201);
    expect(["Completed", "Failed"]).toContain(result.status);
    expect(more.status).toBe(400);
    expect(more.body.findings.map(({ path }: Finding) => path)).toEqual([
      "callableAgents",
      "harness.loop.criteria",
    ]);
  });

  const send = (method: string, path: string, body: string) =>
    fetch(host.api.url + path, {
      method,
      headers: { "content-type": "application/json", accept: "application/json" },
      body,
    });
});

const codesOf = (findings: readonly Finding[]) =>
  findings.map(({ code, path }) => `${code} ${path}`);
