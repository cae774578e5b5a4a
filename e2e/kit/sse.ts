/**
 * A reader of event streams for tests, written from the specification and sharing no code with the
 * product. Keeps the text of every frame, so that streams can be compared byte for byte.
 */

export type SseFrame = {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string;
  /** The frame as it came, with its line breaks. */
  readonly raw: string;
};

/** Yields the frames of a body as they come; comments are passed over. */
export async function* sseFrames(
  body: ReadableStream<Uint8Array> | null,
): AsyncGenerator<SseFrame, void, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of body ?? []) {
    const blocks = (rest + decoder.decode(bytes, { stream: true })).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const frame = frameOf(block);
      if (frame !== undefined) yield frame;
    }
  }
  if (rest !== "") throw new Error(`the stream ended inside a frame: ${JSON.stringify(rest)}`);
}

/** All frames of a whole stream. */
export const allFrames = (response: Response): Promise<SseFrame[]> =>
  Array.fromAsync(sseFrames(response.body));

/** Reads up to the frame that fits and drops the connection. */
export async function framesUntil(
  request: (signal: AbortSignal) => Promise<Response>,
  isLast: (frame: SseFrame) => boolean,
): Promise<SseFrame[]> {
  const leaving = new AbortController();
  const frames: SseFrame[] = [];
  for await (const frame of sseFrames((await request(leaving.signal)).body)) {
    frames.push(frame);
    if (isLast(frame)) break;
  }
  leaving.abort();
  return frames;
}

export const dataOf = (frame: SseFrame | undefined): Record<string, unknown> =>
  JSON.parse(frame?.data ?? "null") as Record<string, unknown>;

function frameOf(block: string): SseFrame | undefined {
  let id: string | undefined;
  let event = "message";
  const data: string[] = [];
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "id") id = value;
    else if (field === "event") event = value;
    else if (field === "data") data.push(value);
  }
  return data.length === 0 ? undefined : { id, event, data: data.join("\n"), raw: `${block}\n\n` };
}
