/** A server of chat completions that answers with chunks as they are written, and what they are made of. */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type Chunk = Readonly<Record<string, unknown>>;

/** `cut` loses the connection behind its chunks. */
export type ChunkedAnswer = readonly (Chunk | "cut")[];

export type ChunkServer = {
  readonly baseURL: string;
  /** What the next requests for a model are answered, in order. */
  queue(model: string, ...answers: readonly ChunkedAnswer[]): void;
  close(): void;
};

export async function startChunkServer(): Promise<ChunkServer> {
  const answers = new Map<string, ChunkedAnswer[]>();
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (part: string) => {
      body += part;
    });
    request.on("end", () => {
      const { model } = JSON.parse(body) as { readonly model: string };
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const chunk of answers.get(model)?.shift() ?? []) {
        if (chunk === "cut") {
          response.write("", () => response.destroy());
          return;
        }
        const data = JSON.stringify({ id: "1", object: "x", model, ...chunk });
        response.write(`data: ${data}\n\n`);
      }
      response.end("data: [DONE]\n\n");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    queue: (model, ...more) => void answers.set(model, [...(answers.get(model) ?? []), ...more]),
    close: () => void server.close(),
  };
}

export const choice = (delta: object, finish_reason: string | null = null): Chunk => ({
  choices: [{ index: 0, delta, finish_reason }],
});
export const text = (content: string): Chunk => choice({ content });
export const stop = choice({}, "stop");
export const usage = (prompt_tokens: number, completion_tokens: number) => ({
  usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens },
});
/** An answer that calls a tool. */
export const calls = (name: string, input: object): readonly Chunk[] => [
  choice({
    tool_calls: [
      { index: 0, id: "c", type: "function", function: { name, arguments: JSON.stringify(input) } },
    ],
  }),
  choice({}, "tool_calls"),
];
