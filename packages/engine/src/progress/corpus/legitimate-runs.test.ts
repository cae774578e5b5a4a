/**
 * 200 runs that do the same again and again and are right to: eleven of each of eighteen kinds, drawn from a
 * seed, and two that the rules are known to take for loops. The words are those of the services that are
 * polled, not those of the rules.
 */

import { expect, it } from "vitest";
import { type Random, seededRandom } from "../../../../../e2e/kit/random.ts";
import type { RecordedRun } from "../progress-corpus.test.ts";

const SEED = 20_261_205;
const RUNS_OF_A_KIND = 11;

type Part = RecordedRun["parts"][number];
type Step = Part["steps"][number];

it("keeps the legitimate runs as they are drawn", async () => {
  const random = seededRandom(SEED);
  const drawn = Object.entries(KINDS).flatMap(([kind, draw]) =>
    Array.from({ length: RUNS_OF_A_KIND }, (_, index) => ({
      name: `${kind}-${index + 1}`,
      parts: draw(random, index),
    })),
  );

  const lines = [...drawn, ...takenForLoops()].map((run) => `${JSON.stringify(run)}\n`);

  await expect(lines.join("")).toMatchFileSnapshot("./legitimate-runs.jsonl");
});

const KINDS: Readonly<Record<string, (random: Random, index: number) => readonly Part[]>> = {
  "job-that-counts": (random, index) => {
    const total = random.between(4, 14);
    const done = upTo(total).map((count) => `{"status":"running","done":${count},"of":${total}}`);
    return [
      once(call("start_job", { name: `job-${index}` }, `{"jobId":${index}}`)),
      again(total, call("get_job", { jobId: index }, done)),
      once(call("get_result", { jobId: index }, "ready")),
    ];
  },
  "service-state-that-stays": (random, index) => {
    const [tool = "", state = ""] = SERVICES[index % SERVICES.length] ?? [];
    return [
      again(random.between(3, 30), call(tool, { id: `r-${index}` }, state)),
      once(call(tool, { id: `r-${index}` }, '{"status":"READY"}')),
    ];
  },
  "sentence-that-says-to-wait": (random, index) => [
    again(random.between(3, 20), call("check", { ref: index }, at(WAITING_SENTENCES, index))),
    once(call("check", { ref: index }, "Finished.")),
  ],
  "poll-and-sleep": (random, index) => {
    const seconds = random.between(2, 60);
    const sleep =
      index % 2 === 0
        ? call("bash", { command: `sleep ${seconds}` }, "")
        : call("wait_seconds", { seconds }, "ok");
    return [
      again(random.between(4, 15), call("read_output", { handle: index }, ""), sleep),
      once(call("read_output", { handle: index }, "Build finished: exit code 0")),
    ];
  },
  "tool-registered-as-polled": (random, index) => [
    again(random.between(4, 25), {
      ...call("tail_log", { process: index }, "(no new output)"),
      polled: true,
    }),
    once({ ...call("tail_log", { process: index }, "exited (code 0)"), polled: true }),
  ],
  "log-that-grows": (random, index) => {
    const lines = upTo(random.between(5, 16)).map((line) => `step ${line} of the build`);
    const output = lines.map((_, end) => lines.slice(0, end + 1).join("\n"));
    return [again(output.length, call("read_log", { build: index }, output, "read"))];
  },
  pages: (random, index) => {
    const pages = random.between(5, 20);
    const isSparse = index % 2 === 0;
    const rows = upTo(pages).map((page) =>
      isSparse && page % 3 > 0 ? "[]" : `[{"row":${page * 10}}]`,
    );
    return [
      again(
        pages,
        call(
          "list_rows",
          upTo(pages).map((page) => ({ table: "orders", page })),
          rows,
          "read",
        ),
      ),
    ];
  },
  "next-of-a-queue": (random) => {
    const count = random.between(5, 14);
    const items = upTo(count).map((item) => `{"ticket":${1_000 + item * 7}}`);
    return [again(count, call("next_ticket", {}, items)), once(call("next_ticket", {}, "null"))];
  },
  "retry-that-succeeds": (random, index) => {
    const failure = at(PASSING_FAILURES, index);
    // A failure that does not say to come back is tried three times, as people set it.
    const tries = failure.patient ? random.between(2, 9) : random.between(1, 3);
    const fault = { kind: "Failed" as const, error: failure.error };
    return [
      again(tries, call("fetch_invoice", { id: index }, fault)),
      once(call("fetch_invoice", { id: index }, `{"total":${index}9.50}`)),
    ];
  },
  "each-item-the-same-way": (random, index) => {
    const count = random.between(6, 24);
    const ids = upTo(count).map((id) => ({ id: 100 + id, label: "archived" }));
    const results = at(["ok", '{"ok":true}', "updated 1 row", "not found"], index);
    return [again(count, call("set_label", ids, results))];
  },
  "test-until-it-passes": (random, index) => {
    const tries = random.between(3, 9);
    const edits = upTo(tries).map((edit) => ({
      path: "src/sum.ts",
      line: edit,
      text: `try ${edit}`,
    }));
    return [
      again(
        tries,
        call("edit", edits, "edited"),
        call(
          "bash",
          { command: "npm test" },
          "1 failed, 40 passed",
          index % 2 ? "read" : undefined,
        ),
      ),
      once(call("edit", { path: "src/sum.ts", text: "right" }, "edited")),
      once(call("bash", { command: "npm test" }, "41 passed")),
    ];
  },
  "fewer-failures-each-time": (random) => {
    const failures = upTo(random.between(4, 12)).reverse();
    return [
      again(
        failures.length,
        call("apply_fix", {}, "applied the next suggestion"),
        call(
          "lint",
          { folder: "src" },
          [...failures.slice(1), 0].map((it) => `${it} problems`),
        ),
      ),
    ];
  },
  "iterations-that-begin-alike": (random, index) => {
    const iterations = random.between(4, 10);
    return [
      again(
        iterations,
        call("load_brief", {}, "Write about rivers.", index % 2 ? "read" : undefined),
        call("list_sources", {}, '["a","b"]', "read"),
        draft(upTo(iterations).map((part) => `Rivers, with ${part} of the chapters`)),
      ),
    ];
  },
  "one-to-do-an-iteration": (random) => {
    const todos = upTo(random.between(4, 10));
    return [
      again(
        todos.length,
        call(
          "todos_complete",
          todos.map((id) => ({ id })),
          "completed",
        ),
        draft(["Done."]),
      ),
    ];
  },
  "iterations-that-wait-for-tasks": (random) => [
    once(call("start_task", { agent: "researcher" }, "task 1")),
    again(random.between(4, 9), { draft: "The task has not come back.", waits: true }),
    once(draft(["The researcher found three sources."])),
  ],
  "reviews-that-get-somewhere": (random, index) => {
    const rounds = random.between(3, 8);
    const objections = upTo(rounds).map((round) => `Chapter ${round} has no source.`);
    const stubborn = upTo(rounds).map((round) =>
      round <= 3 ? "Add sources." : `Fix line ${round}.`,
    );
    return [
      again(rounds, draft(upTo(rounds).map((round) => `Draft ${round} of the article`)), {
        review: index % 2 === 0 ? objections : stubborn,
      }),
    ];
  },
  "agents-at-work": (random, index) => {
    const parts = random.between(4, 10);
    const briefs = upTo(parts).map((part) => `Research part ${part}.`);
    const found = upTo(parts).map((part) =>
      index % 3 === 0 ? "Done." : `Part ${part} is about ${part}.`,
    );
    const texts = upTo(parts).map((part) => `Write part ${part}.`);
    const steps: Step[] = [{ child: "researcher", message: briefs, answer: found }];
    if (index % 2 === 0) steps.push({ child: "writer", message: texts, answer: "Written." });
    return [again(parts, ...steps)];
  },
  "batches-and-repeated-acts": (random, index) => {
    const rounds = random.between(4, 12);
    if (index % 3 === 0) {
      const load = upTo(rounds).map((round) => `load ${(round * 37) % 100} %`);
      const calls = [
        call("load_of", { host: "a" }, load),
        call("load_of", { host: "b" }, "load 3 %"),
      ];
      return [again(rounds, { calls })];
    }
    if (index % 3 === 1) {
      const press = call("press_key", { key: "Down" }, "pressed");
      return [
        again(rounds, { ...press, polled: true }),
        once(call("press_key", { key: "Enter" }, "ok")),
      ];
    }
    const shown = upTo(rounds).map(
      (round) => `screen ${round}: items ${round * 5} to ${round * 5 + 4}`,
    );
    return [again(rounds, call("scroll", { direction: "down" }, shown))];
  },
};

const takenForLoops = (): readonly RecordedRun[] => [
  {
    name: "reviewer-of-few-words",
    parts: [
      again(5, draft(upTo(5).map((round) => `The article in ${1_000 - round * 150} words`)), {
        review: "Too long.",
      }),
    ],
  },
  {
    name: "silent-until-done",
    parts: [
      again(6, call("collect_output", { process: 4 }, "")),
      once(call("collect_output", { process: 4 }, "All 3 files were converted.")),
    ],
  },
];

const SERVICES: readonly (readonly [tool: string, state: string])[] = [
  ["describe_stack", '{"StackStatus":"CREATE_IN_PROGRESS"}'],
  ["get_workflow_run", '{"id":77,"status":"in_progress","conclusion":null}'],
  ["get_pod", '{"metadata":{"name":"web-0"},"status":{"phase":"Pending"}}'],
  ["get_pod", '{"name":"web-1","state":"ContainerCreating"}'],
  ["get_batch", '{"object":"batch","status":"validating","errors":null}'],
  ["get_batch", '{"object":"batch","status":"finalizing","errors":null}'],
  ["get_build", '{"number":12,"building":true,"result":null}'],
  ["get_import", '{"import":{"state":"queued","position":3}}'],
  ["get_operation", '{"name":"operations/9","done":false}'],
  ["get_deployment", '{"provisioningState":"Updating"}'],
  ["get_export", '{"ready":false,"retryAfterSeconds":30}'],
];

const WAITING_SENTENCES: readonly string[] = [
  "aws_db_instance.main: Still creating... [10s elapsed]",
  "Build #42 is running.",
  "Task 3 is still running.",
  "Your export is being prepared. Please check again in 30 seconds.",
  "Job 17: not finished",
  "pending",
  "The report is not ready yet.",
  "Waiting for a free runner",
  "Status: QUEUED",
  "The migration is in progress.",
  "queued behind 4 jobs",
];

const PASSING_FAILURES: readonly { readonly error: string; readonly patient: boolean }[] = [
  { error: "429 Too Many Requests", patient: true },
  { error: "503 Service Unavailable", patient: true },
  { error: "The service is temporarily unavailable.", patient: true },
  { error: "Rate limit reached, retry after 20 s", patient: true },
  { error: "connect ECONNRESET 10.0.0.7:443", patient: false },
  { error: "request timed out", patient: false },
  { error: "lock held by another process, try again later", patient: true },
];

const once = (...steps: readonly Step[]): Part => ({ turns: 1, steps });
const again = (turns: number, ...steps: readonly Step[]): Part => ({ turns, steps });
const draft = (texts: readonly string[]): Step => ({ draft: texts });

type ToolStep = Extract<Step, { readonly tool: string }>;

const call = (
  tool: string,
  input: ToolStep["input"],
  result: ToolStep["result"],
  effect?: "read",
): ToolStep => ({ tool, input, result, ...(effect === undefined ? {} : { effect }) });

/** 1, 2, … */
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

const at = <Value>(values: readonly Value[], index: number): Value =>
  values[index % values.length] as Value;
