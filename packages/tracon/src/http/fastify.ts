/** A Fastify plugin, typed by what it needs of Fastify so that nobody must install it. */

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Server } from "@tracon/server";
import { nodeHandler } from "./node.ts";

type FastifyRequestLike = { readonly raw: IncomingMessage };
type FastifyReplyLike = { readonly raw: ServerResponse; hijack(): unknown };

/** The part of a Fastify instance the plugin uses. */
export type FastifyLike = {
  removeAllContentTypeParsers(): void;
  addContentTypeParser(
    contentType: string,
    parser: (request: never, payload: never, done: (error: null) => void) => void,
  ): unknown;
  all(
    path: string,
    handler: (request: FastifyRequestLike, reply: FastifyReplyLike) => void,
  ): unknown;
};

/** `fastify.register(tracon.fastify())`. */
export type FastifyPlugin = (
  // biome-ignore lint/suspicious/noExplicitAny: Fastify's own generics must fit it
  instance: any,
  options: unknown,
  done: () => void,
) => void;

export function fastifyPlugin(server: Server, prefix: string): FastifyPlugin {
  const handle = nodeHandler(server);
  return (instance: FastifyLike, _options, done) => {
    // Inside the plugin only: the API reads its bodies itself.
    instance.removeAllContentTypeParsers();
    instance.addContentTypeParser("*", (_request, _payload, parsed) => parsed(null));
    const answer = (request: FastifyRequestLike, reply: FastifyReplyLike) => {
      reply.hijack();
      handle(request.raw, reply.raw);
    };
    if (prefix !== "") instance.all(prefix, answer);
    instance.all(`${prefix}/*`, answer);
    done();
  };
}
