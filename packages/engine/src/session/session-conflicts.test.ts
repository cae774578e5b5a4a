import { tool } from "@ai-sdk/provider-utils";
import { type RunEvent, type Stores, TraconError } from "@tracon/core";
import { openStores } from "@tracon/store";
import { type ScriptedStep, scriptedModel, startTestEngine, type TestRun } from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";

const WRITERS = 20;

it("lets one of two turns on a session through and fails the other one", async () => {
  const { say, together, history } = await session(twoAnswersAndOne());

  const [first, second] = await together(2);

  const won = first?.result.status === "Completed" ? first : second;
  const lost = won === first ? second : first;
  expect(won?.result.status).toBe("Completed");
  expect(lost?.result).toMatchObject({
    status: "Failed",
    error: { type: "session_conflict", message: expect.stringContaining("send it again") },
  });
  expect(await history("s")).toHaveLength(2);
  expect((await say("Again.")).result.status).toBe("Completed");
});

it("takes back the end of the run only: nothing else of it is lost, and it ends once", async () => {
  const { together, stores } = await session([
    ...Array.from({ length: 2 }, () => ({ text: "Hm.", toolCalls: [{ name: "count" }] })),
    ...Array.from({ length: 2 }, () => ({ text: "Counted.", usage: { inputTokens: 7 } })),
  ]);

  const runs = await together(2);

  const lost = runs.find(({ result }) => result.status === "Failed");
  const types = lost?.events.map(({ type }) => type).filter((type) => type !== "MessageDelta");
  expect(types).toEqual([
    "RunStarted",
    "MessageCompleted",
    "ToolInvoking",
    "ToolInvoked",
    "MessageCompleted",
    "SessionWriteConflicted",
    "RunFailed",
  ]);
  expect(lost?.events.map(({ sequence }) => sequence)).toEqual(
    lost?.events.map((_, index) => index),
  );
  const runId = lost?.runId ?? "";
  expect(await stores.runs.get("default", runId)).toMatchObject({
    status: "Failed",
    eventCount: lost?.events.length,
    usage: { inputTokens: 7 },
    error: { type: "session_conflict" },
  });
  // Counted once, as it ended at last.
  const counted = await stores.statistics.statistics("default", {}, { maxRows: 9 });
  expect(counted).toMatchObject({ totalRuns: 2, completedRuns: 1, failedRuns: 1, inputTokens: 14 });
  expect(await stores.runs.toolUsage("default", { maxTools: 9 })).toMatchObject([
    { toolName: "count", totalCalls: 2 },
  ]);
});

it("ends the stream of the turn that lost with an error, and shows no end before it", async () => {
  const { together } = await session(twoAnswersAndOne());

  const runs = await together(2, true);

  const lost = runs.find(({ result }) => result.status === "Failed");
  const ends = lost?.frames.filter(({ event }) => event === "done" || event === "error");
  expect(ends).toHaveLength(1);
  expect(lost?.frames.at(-1)).toMatchObject({
    event: "error",
    data: { code: "session_conflict" },
    id: lost?.events.at(-1)?.sequence,
  });
});

it(`lets exactly one of ${WRITERS} turns at once have the next version of a session`, async () => {
  const rounds = 3;
  const { together, stores, history } = await session(
    Array.from({ length: WRITERS * rounds }, () => "Hi."),
  );

  for (let round = 1; round <= rounds; round++) {
    const runs = await together(WRITERS);

    const completed = runs.filter(({ result }) => result.status === "Completed");
    expect(completed).toHaveLength(1);
    for (const { events } of runs) expect(events.filter(isEnd)).toHaveLength(1);
    expect(await stores.sessions.get("default", "s")).toMatchObject({ version: round });
  }
  expect(await history("s")).toHaveLength(2 * rounds);
});

it("fails the turn of a session that was deleted meanwhile, and leaves nothing of it", async () => {
  const { engine, say, history } = await session([
    "Hi.",
    async () => {
      await engine.sessions.delete("default", "s");
      return "Too late.";
    },
  ]);
  await say("Hi.");

  const { result } = await say("Still there?");

  expect(result.error).toMatchObject({ type: "session_conflict" });
  expect(await history("s")).toEqual([]);
});

it("fails a run whose turn the store did not take, since nobody would find it again", async () => {
  const stores = await memory();
  let broken = false;
  const { say } = await session(
    [
      () => {
        broken = true;
        return "Hello.";
      },
    ],
    failing(stores, () => broken),
  );

  const { result } = await say("Hi.");

  expect(result).toMatchObject({ status: "Failed", error: { type: "store_unavailable" } });
  expect(await stores.sessions.get("default", "s")).toBeUndefined();
});

it("fails a run in a session when recording had stopped before its end", async () => {
  const stores = await memory();
  let broken = false;
  const { say } = await session(
    [
      () => {
        broken = true;
        return { toolCalls: [{ name: "count" }] };
      },
      () => {
        broken = false;
        return "Counted.";
      },
    ],
    failing(stores, () => broken),
  );

  const { result } = await say("Hi.", true);

  expect(result).toMatchObject({ status: "Failed", error: { type: "store_unavailable" } });
});

it("waits for the disk as often as a run without a session", async () => {
  const stores = await memory();
  let commits = 0;
  const counting: Stores = {
    ...stores,
    journal: {
      commit(batch) {
        commits++;
        return stores.journal.commit(batch);
      },
    },
  };
  const script = () => [{ toolCalls: [{ name: "count" }] }, "Done."];
  const { run, say } = await session([...script(), ...script(), ...script()], counting);
  const commitsOf = async (work: () => Promise<unknown>) => {
    commits = 0;
    await work();
    return commits;
  };

  const alone = await commitsOf(() => run("Count."));
  const opening = await commitsOf(() => say("Count."));
  const continuing = await commitsOf(() => say("Count."));

  expect([opening, continuing]).toEqual([alone, alone]);
});

const isEnd = ({ type }: RunEvent): boolean => type === "RunCompleted" || type === "RunFailed";

/** Answers for two turns at once and one after them. */
const twoAnswersAndOne = (): readonly ScriptedStep[] => ["Hi.", "Hi.", "Hi."];

async function memory(): Promise<Stores> {
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  return stores;
}

/** Stores whose journal does not answer while `isBroken`. */
const failing = (stores: Stores, isBroken: () => boolean): Stores => ({
  ...stores,
  journal: {
    async commit(batch) {
      if (isBroken()) throw new TraconError("store_unavailable", "the store is down");
      return stores.journal.commit(batch);
    },
  },
});

async function session(script: readonly ScriptedStep[], given?: Stores) {
  const stores = given ?? (await memory());
  const model = scriptedModel(script);
  const count = tool({ inputSchema: z.object({}), execute: () => "counted" });
  const started = await startTestEngine({ stores, model, tools: { count } });
  onTestFinished(() => started.engine.close());
  const say = (message: string, isStreaming = false): Promise<TestRun> =>
    started.run({ message, sessionId: "s" }, { isStreaming });
  return {
    ...started,
    stores,
    say,
    /** So many turns at once, all of which began with the same version. */
    together: (turns: number, isStreaming = false) =>
      Promise.all(Array.from({ length: turns }, (_, index) => say(`Turn ${index}.`, isStreaming))),
  };
}
