/** Streams of runs with loops and children: their order, and going on anywhere in them. */

import { type ScriptedStep, storeMatrix } from "@tracon/testing";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  type AgentsHost,
  type AgentsHostOptions,
  ask,
  type Scripted,
  startAgentsHost,
  until,
} from "../kit/agents-host.ts";
import { allFrames, dataOf, type SseFrame, sseFrames } from "../kit/sse.ts";
import { covers } from "../requirements/covers.ts";

const APPROVED = '{"approved":true,"feedback":""}';
const REFUSED = '{"approved":false,"feedback":"More."}';
const BARE = {
  disableCompaction: true,
  disableTodoProvider: true,
  disableAgentModeProvider: true,
  harnessInstructions: "",
} as const;
const MARKER = [{ kind: "completionMarker", marker: "ALL DONE" }];
const looped = (loop: object): Partial<Scripted> => ({
  harness: { ...BARE, loop: { criteria: MARKER, ...loop } },
});
/** Asks an agent, which asks another one, is reviewed, and does it again. */
const busy: Scripted = {
  name: "busy",
  callableAgents: ["helper"],
  subAgents: { callMode: "Tool" },
  ...looped({ criteria: [{ kind: "agentReview", reviewerAgent: "reviewer" }], maxIterations: 3 }),
};
const AGENTS: readonly Scripted[] = [
  busy,
  { name: "helper", callableAgents: ["deep"], subAgents: { callMode: "Tool" } },
  { name: "deep" },
  { name: "reviewer" },
];

const open: AgentsHost[] = [];
afterEach(async () => {
  for (const { host } of open.splice(0)) await host.close();
});

describe.each(storeMatrix())("on $engine", ({ newUrl }) => {
  let storage: string;
  beforeAll(async () => {
    storage = await newUrl();
  });

  it("goes on at every event of a run with a loop and children, while it runs and afterwards", async () => {
    const gate = Promise.withResolvers<void>();
    const host = await start(AGENTS, busyScripts({ gate: gate.promise }));
    const { api } = host;
    const live = watch(await api.stream("busy"));
    const runId = await live.runId;
    await until(() => host.models.busy?.calls.length === 3 || undefined);
    const { length: soFar } = await api.recorded(runId);

    const early = await Promise.all(
      Array.from({ length: soFar + 1 }, (_, index) =>
        api.events(runId, index === 0 ? {} : { after: index - 1 }),
      ),
    );
    const following = early.map(allFrames);
    gate.resolve();
    const tails = await Promise.all(following);
    await live.ended;

    const all = await allFrames(await api.events(runId));
    const late = await Promise.all(
      all.map(async (_, index) => allFrames(await api.events(runId, { after: index }))),
    );
    // Stores in memory are those of one process.
    const other = storage === "memory:" ? host : await start(AGENTS, {});
    const elsewhere = await allFrames(await other.api.events(runId, { after: 3 }));
    expect(soFar).toBeGreaterThan(8);
    expect(all.at(-1)?.event).toBe("run.completed");
    expect(all.map(({ id }) => Number(id))).toEqual(all.map((_, index) => index));
    expect(tails.map(rawOf)).toEqual(tails.map((_, index) => rawOf(all.slice(index))));
    expect(late.map(rawOf)).toEqual(late.map((_, index) => rawOf(all.slice(index + 1))));
    expect(rawOf(elsewhere)).toEqual(rawOf(all.slice(4)));
  });

  it("shows whoever joins late the children and iterations that an early one saw", async () => {
    const { api, tree } = await start(AGENTS, busyScripts({}));

    const { runId } = await api.run("busy");

    const events = await allFrames(await api.events(runId));
    const names = events.map(({ event }) => event);
    const runs = await tree(runId);
    const started = events.filter(({ event }) => event === "child.started").map(payloadOf);
    expect(runs.map(({ agentName }) => agentName)).toEqual([
      ...["busy", "helper", "deep", "reviewer"],
      ...["helper", "deep", "reviewer"],
    ]);
    expect(started.map(({ childRunId }) => childRunId)).toEqual(runs.slice(1).map(({ id }) => id));
    expect(started.map(({ parentRunId }) => parentRunId)).toEqual(
      runs.slice(1).map(({ parentRunId }) => parentRunId),
    );
    expect(names.filter((it) => it === "child.completed")).toHaveLength(6);
    expect(names.filter((it) => it === "loop.iteration-completed")).toHaveLength(2);
    expect(names.lastIndexOf("child.completed")).toBeLessThan(
      names.lastIndexOf("loop.iteration-completed"),
    );
  });

  it.each([
    {
      name: "satisfied",
      loop: { maxIterations: 5 },
      script: ["One.", "Two. ALL DONE"],
      frames: ["1", "loop", "2", "loop", "done"],
      last: { continued: false },
    },
    {
      name: "at its ceiling",
      loop: { maxIterations: 2 },
      script: ["One.", "Two."],
      frames: ["1", "loop", "2", "done"],
      last: { continued: true, ceilingReached: true },
    },
    {
      name: "failed at its ceiling",
      loop: { maxIterations: 2, onExhausted: "FailRun" },
      script: ["One.", "Two."],
      frames: ["1", "loop", "2", "loop", "error"],
      last: { continued: true, ceilingReached: true, failsRun: true },
    },
    {
      name: "satisfied at a ceiling that would fail it",
      loop: { maxIterations: 1, onExhausted: "FailRun" },
      script: ["One. ALL DONE"],
      frames: ["1", "loop", "done"],
      last: { continued: false },
    },
    {
      name: "failed by a criterion",
      loop: { criteria: [{ kind: "throws" }], onCriterionError: "FailRun" },
      script: ["One."],
      frames: ["1", "loop", "error"],
      last: { continued: false, failedCriterion: "throws", failsRun: true },
    },
  ])(
    "streams a loop that is $name in the order in which it happens",
    {
      ...covers("loop.native-stream-iteration-frame", "fail-run.stream-text-before-error"),
    },
    async ({ loop, script, frames: expected, last }) => {
      const { api } = await start([{ name: "writer", ...looped(loop) }], {
        writer: [...script, ...script],
      });

      const frames = await allFrames(await api.stream("writer"));
      const answer = await api.json("POST", "/api/agents/writer/run", { message: "Write." });

      const shown = frames.slice(1).map((frame) => {
        if (frame.event === "update") return String(dataOf(frame).iteration);
        return frame.event.replace(".iteration-completed", "");
      });
      expect(frames[0]?.event).toBe("run");
      // An answer may come in more pieces than one.
      expect(shown.filter((it, index) => it !== shown[index - 1])).toEqual(expected);
      const decided = frames.filter(({ event }) => event === "loop.iteration-completed").at(-1);
      expect(dataOf(decided)).toMatchObject(last);
      expect(textOf(frames)).toEqual(script);
      const ids = frames.flatMap(({ id }) => (id === undefined ? [] : [Number(id)]));
      expect(ids).toEqual([...ids].sort((a, b) => a - b));
      if (expected.at(-1) === "done") expect(answer.body).toMatchObject({ output: script.at(-1) });
      else expect(answer.body).toMatchObject({ status: "Failed", output: script.at(-1) });
    },
  );

  async function start(
    agents: readonly Scripted[],
    scripts: AgentsHostOptions["scripts"],
  ): Promise<AgentsHost> {
    const names = agents.map(({ name }) => [name, [] as readonly ScriptedStep[]]);
    const host = await startAgentsHost({
      storage,
      agents,
      scripts: { ...Object.fromEntries(names), ...scripts },
      loopEvaluators: {
        throws: {
          evaluate: () => {
            throw new Error("secret words");
          },
        },
      },
    });
    open.push(host);
    return host;
  }
});

const busyScripts = ({ gate }: { gate?: Promise<void> }): AgentsHostOptions["scripts"] => ({
  busy: [
    ask("helper"),
    "Draft one.",
    async () => {
      await gate;
      return ask("helper");
    },
    "Draft two.",
  ],
  helper: [ask("deep"), "helped", ask("deep"), "helped again"],
  deep: ["deep", "deeper"],
  reviewer: [REFUSED, APPROVED],
});

const rawOf = (frames: readonly SseFrame[]): string => frames.map(({ raw }) => raw).join("");
const payloadOf = (frame: SseFrame) => dataOf(frame).payload as Readonly<Record<string, unknown>>;

function textOf(frames: readonly SseFrame[]): readonly string[] {
  const texts: string[] = [];
  for (const frame of frames) {
    if (frame.event !== "update") continue;
    const { iteration, text } = dataOf(frame) as { iteration: number; text: string };
    texts[iteration - 1] = (texts[iteration - 1] ?? "") + text;
  }
  return texts;
}

function watch(response: Response) {
  const { promise: runId, resolve } = Promise.withResolvers<string>();
  async function read(): Promise<void> {
    for await (const frame of sseFrames(response.body)) {
      if (frame.event === "run") resolve(String(dataOf(frame).runId));
    }
  }
  return { runId, ended: read() };
}
