import { expect, it } from "vitest";
import { eventStreamResponse } from "./event-stream.ts";

type Source = AsyncIterable<readonly string[]>;

it("writes what arrived together in one piece", async () => {
  const { read } = open(batches(["a", "b", "c"], [], ["d"]));

  expect([await read(), await read(), await read()]).toEqual(["abc", "d", undefined]);
});

it("asks its source no further than the reader is", async () => {
  let asked = 0;
  const { read } = open({
    async *[Symbol.asyncIterator]() {
      while (true) yield [`${asked++} `];
    },
  });

  await read();
  await settled();

  expect(asked).toBeLessThanOrEqual(3);
});

it("breaks the silence before it lasts longer than promised", async () => {
  const stream = open(silence());

  stream.tick(5_000);
  stream.tick(5_000);

  expect(await stream.read()).toBe(": keep-alive\n\n");
});

it("keeps quiet while there is something to say", async () => {
  const source = queue();
  const stream = open(source);

  for (let second = 0; second < 60; second += 5) {
    source.push(`${second} `);
    await settled();
    stream.tick(5_000);
    expect(await stream.read()).toBe(`${second} `);
  }
});

it("piles up no comments for a reader that does not read", async () => {
  const source = queue();
  const stream = open(source);

  for (let tick = 0; tick < 100; tick += 1) stream.tick(15_000);
  source.push("at last");
  await settled();

  expect(await stream.read()).toBe(": keep-alive\n\n");
  expect(await stream.read()).toBe("at last");
});

it("goes on after a comment as before", async () => {
  const source = queue();
  const stream = open(source);
  const first = stream.read();
  await settled();

  stream.tick(15_000);
  const second = first.then(() => stream.read());
  await settled();
  source.push("later");

  expect(await first).toBe(": keep-alive\n\n");
  expect(await second).toBe("later");
});

it("ends a stream whose source throws with a frame that says so", async () => {
  const { read, disconnects } = open({
    async *[Symbol.asyncIterator]() {
      yield ["a"];
      throw new Error("the source broke");
    },
  });

  expect([await read(), await read(), await read()]).toEqual([
    "a",
    "[the source broke]",
    undefined,
  ]);
  expect(disconnects()).toBe(0);
});

it.each(["cancel", "abort"] as const)(
  "lets its source and its timer go when the reader leaves by %s",
  async (how) => {
    let isReturned = false;
    const stream = open({
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise(() => undefined),
        async return() {
          isReturned = true;
          return { done: true, value: undefined };
        },
      }),
    });

    await stream.leave(how);

    expect(isReturned).toBe(true);
    expect(stream.disconnects()).toBe(1);
    expect(stream.isTimed()).toBe(false);
  },
);

it("tells nobody that a source failed after its reader left", async () => {
  const { promise, reject } = Promise.withResolvers<never>();
  const stream = open({ [Symbol.asyncIterator]: () => ({ next: () => promise }) });
  await settled();

  await stream.leave("cancel");
  reject(new Error("aborted"));
  await settled();

  expect(stream.failures()).toBe(0);
});

it("ends at once for a reader that left before it began", async () => {
  const stream = open(silence(), AbortSignal.abort());

  expect(await stream.read()).toBeUndefined();
  expect(stream.disconnects()).toBe(1);
  expect(stream.isTimed()).toBe(false);
});

it("takes a reader that read everything for one that stayed", async () => {
  const stream = open(batches(["a"]));
  await stream.read();
  await stream.read();

  await stream.leave("abort");

  expect(stream.disconnects()).toBe(0);
  expect(stream.isTimed()).toBe(false);
});

/** Longer than anything that is about to happen takes to happen. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

async function* batches(...all: string[][]): Source {
  yield* all;
}

const silence = (): Source => ({
  [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }),
});

function queue(): Source & { push(text: string): void } {
  let next = Promise.withResolvers<readonly string[]>();
  return {
    push(text) {
      next.resolve([text]);
    },
    async *[Symbol.asyncIterator]() {
      while (true) {
        const batch = await next.promise;
        next = Promise.withResolvers();
        yield batch;
      }
    },
  };
}

function open(source: Source, signal?: AbortSignal) {
  const controller = new AbortController();
  let nowMs = 0;
  let tick: (() => void) | undefined;
  let disconnects = 0;
  let failures = 0;
  const response = eventStreamResponse<string>({
    batches: source,
    encode: (batch) => new TextEncoder().encode(batch.join("")),
    onFailure: (error) => {
      failures += 1;
      return `[${(error as Error).message}]`;
    },
    onDisconnect: () => {
      disconnects += 1;
    },
    signal: signal ?? controller.signal,
    clock: { now: () => nowMs, monotonicMs: () => nowMs },
    timer: {
      every(_intervalMs, callback) {
        tick = callback;
        return () => {
          tick = undefined;
        };
      },
    },
    keepAliveMs: 15_000,
  });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  return {
    async read() {
      const { value } = await reader.read();
      return value && new TextDecoder().decode(value);
    },
    tick(ms: number) {
      nowMs += ms;
      tick?.();
    },
    async leave(how: "cancel" | "abort") {
      if (how === "cancel") await reader.cancel();
      else controller.abort();
    },
    disconnects: () => disconnects,
    failures: () => failures,
    isTimed: () => tick !== undefined,
  };
}
