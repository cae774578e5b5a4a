import { expect, it } from "vitest";
import { serverSentEvents } from "./server-sent-events.ts";

const EVENTS = [
  { id: "0", event: "run", data: '{"name":"Ağ 🛰"}' },
  { id: "1", event: "update", data: "first\nsecond" },
  { id: undefined, event: "done", data: "" },
];

it.each([
  ["line feeds", "\n"],
  ["carriage returns and line feeds", "\r\n"],
])("reads the same events from %s, cut at every byte", async (_, lineEnd) => {
  const bytes = encode(EVENTS, lineEnd);

  for (let cut = 0; cut <= bytes.length; cut += 1) {
    const read = await collect(bodyOf(bytes.subarray(0, cut), bytes.subarray(cut)));

    expect(read, `cut at byte ${cut}`).toEqual(EVENTS);
  }
});

it("reads the same events one byte at a time", async () => {
  const bytes = encode(EVENTS, "\r\n");

  const read = await collect(bodyOf(...Array.from(bytes, (byte) => Uint8Array.of(byte))));

  expect(read).toEqual(EVENTS);
});

it("drops an event that has no closing blank line", async () => {
  const bytes = new TextEncoder().encode("data: whole\n\ndata: cut off\n");

  const read = await collect(bodyOf(bytes));

  expect(read.map((event) => event.data)).toEqual(["whole"]);
});

it("counts a keep-alive comment as a sign of life", async () => {
  const waits: number[] = [];
  const body = bodyOf(...[": keep-alive\n", ": keep-alive\n", "data: x\n\n"].map(utf8));

  const read = await collect(body, (ms) => {
    waits.push(ms);
    return new Promise(() => undefined);
  });

  expect(read.map((event) => event.data)).toEqual(["x"]);
  expect(waits, "the silence is measured anew after every part").toEqual([9, 9, 9, 9]);
});

it("gives a silent connection up and closes it", async () => {
  let cancelled = false;
  const silent = new ReadableStream<Uint8Array>({
    cancel() {
      cancelled = true;
    },
  });

  const reading = collect(silent, () => Promise.resolve());

  await expect(reading).rejects.toMatchObject({ code: "connection_lost", status: 0 });
  expect(cancelled).toBe(true);
});

it("reports a body that breaks off as a lost connection", async () => {
  const cause = new Error("reset by peer");
  const broken = new ReadableStream<Uint8Array>({
    start: (controller) => controller.error(cause),
  });

  const reading = collect(broken);

  await expect(reading).rejects.toMatchObject({ code: "connection_lost", cause });
});

it("closes the body when the reader leaves early", async () => {
  let cancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(utf8("data: more\n\n")),
    cancel() {
      cancelled = true;
    },
  });

  for await (const event of serverSentEvents(endless, patient)) {
    expect(event.data).toBe("more");
    break;
  }

  expect(cancelled).toBe(true);
});

const patient = { idleTimeoutMs: 9, delay: () => new Promise<void>(() => undefined) };
const utf8 = (text: string) => new TextEncoder().encode(text);

function encode(events: typeof EVENTS, lineEnd: string): Uint8Array {
  const lines = events.flatMap(({ id, event, data }) => [
    ": a comment",
    `event: ${event}`,
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...data.split("\n").map((line) => `data: ${line}`),
    "",
    "",
  ]);
  return utf8(`\uFEFFretry: 100${lineEnd}unknown: field${lineEnd}${lines.join(lineEnd)}`);
}

function bodyOf(...parts: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) if (part.length > 0) controller.enqueue(part);
      controller.close();
    },
  });
}

async function collect(
  body: ReadableStream<Uint8Array>,
  delay: (ms: number) => Promise<void> = patient.delay,
): Promise<{ id: string | undefined; event: string | undefined; data: string }[]> {
  const read = [];
  for await (const { id, event, data } of serverSentEvents(body, { idleTimeoutMs: 9, delay })) {
    read.push({ id, event, data });
  }
  return read;
}
