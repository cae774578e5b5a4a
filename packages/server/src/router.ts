/**
 * From a request to its route, and from there to an answer. Everything a route throws becomes
 * problem details here; what no route answers is told apart: no such path, no such method, or a
 * page of the console.
 */

import { finding, TraconError } from "@tracon/core";
import { type Context, Hono } from "hono";
import type { Access, Gate } from "./access.ts";
import { consolePage, redirectToConsole } from "./console.ts";
import { problemResponse } from "./problem.ts";
import type { Route, RouteContext } from "./route.ts";
import type { ConnectionInfo, ConsoleFiles } from "./server-options.ts";

type Handler = (request: Request, info: ConnectionInfo) => Promise<Response>;
type HonoEnv = { Bindings: ConnectionInfo };

export type RouterOptions = {
  readonly routes: readonly Route[];
  readonly context: RouteContext;
  readonly gate: Gate;
  readonly consoleFiles: ConsoleFiles | undefined;
};

/** Path segments below the prefix that are never pages of the console. */
const NOT_CONSOLE = /^\/(?:api|v1|openapi\.json|docs)(?:\/|$)/;

export function createRouter(options: RouterOptions): Handler {
  const { routes, context } = options;
  const app = new Hono<HonoEnv>();
  for (const route of routes) {
    const path = context.prefix + route.path.replace(/\{(\w+)\}/g, ":$1");
    app.on(route.method, path, (c) => answerRoute(route, c, options));
  }
  const paths = pathPatterns(routes);
  app.notFound((c) => answerUnrouted(c, paths, options));

  return async (request, info) => {
    try {
      requireDecodable(request.url);
      return await app.fetch(request, info);
    } catch (error) {
      return problemResponse(error, context);
    }
  };
}

async function answerRoute(
  route: Route,
  c: Context<HonoEnv>,
  { context, gate }: RouterOptions,
): Promise<Response> {
  const request = c.req.raw;
  const refusal = gate(request, c.env, route.access);
  if (refusal !== undefined) return refusalResponse(refusal, context);
  try {
    const response = await route.handle({
      request,
      info: c.env,
      context,
      search: searchOf(request.url),
      param: (name) => c.req.param(name) ?? "",
    });
    // Only the head of the answer is wanted, so a stream behind it must not stay open.
    if (request.method === "HEAD") await response.body?.cancel();
    return response;
  } catch (error) {
    return problemResponse(error, context);
  }
}

function answerUnrouted(
  c: Context<HonoEnv>,
  paths: readonly PathPattern[],
  { context, gate, consoleFiles }: RouterOptions,
): Response {
  const request = c.req.raw;
  const { prefix } = context;
  const path = pathOf(request.url);
  if (path !== prefix && !path.startsWith(`${prefix}/`)) return notFound(path, context);

  const below = path.slice(prefix.length);
  const { access, methods: allowed } = NOT_CONSOLE.test(below)
    ? routedPath(paths, below)
    : consolePath(consoleFiles);
  const refusal = gate(request, c.env, access);
  if (refusal !== undefined) return refusalResponse(refusal, context);

  if (allowed.length === 0) return notFound(path, context);
  if (request.method === "OPTIONS") {
    return new Response(null, {
      status: 204,
      headers: { allow: `${allowed.join(", ")}, OPTIONS` },
    });
  }
  if (!allowed.includes(request.method)) return methodNotAllowed(request.method, allowed, context);
  if (below === "") return redirectToConsole(prefix, searchOf(request.url));
  return consolePage(below, request.headers, { prefix, consoleFiles }) ?? notFound(path, context);
}

type PathPattern = {
  readonly pattern: RegExp;
  readonly access: Access;
  readonly methods: readonly string[];
};

/** What each path answers, for the requests whose method does not fit. */
const pathPatterns = (routes: readonly Route[]): readonly PathPattern[] =>
  routes.map(({ path, method, access }) => ({
    pattern: new RegExp(`^${path.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`),
    access,
    methods: method === "GET" ? ["GET", "HEAD"] : [method],
  }));

type UnroutedPath = Omit<PathPattern, "pattern">;

function routedPath(paths: readonly PathPattern[], path: string): UnroutedPath {
  const matching = paths.filter((it) => it.pattern.test(path));
  const access = matching[0]?.access ?? "guarded";
  return { access, methods: matching.flatMap((it) => it.methods) };
}

const consolePath = (consoleFiles: ConsoleFiles | undefined): UnroutedPath => ({
  access: "shell",
  methods: consoleFiles === undefined ? [] : ["GET", "HEAD"],
});

function refusalResponse(refusal: TraconError, context: RouteContext): Response {
  const headers = { "www-authenticate": 'Bearer realm="tracon"' };
  return problemResponse(refusal, context, refusal.code === "unauthorized" ? headers : undefined);
}

const notFound = (path: string, context: RouteContext): Response =>
  problemResponse(new TraconError("route_not_found", `there is nothing at '${path}'`), context);

function methodNotAllowed(
  method: string,
  allowed: readonly string[],
  context: RouteContext,
): Response {
  const list = allowed.join(", ");
  const error = new TraconError("method_not_allowed", `${method} is not one of ${list}`);
  return problemResponse(error, context, { allow: `${list}, OPTIONS` });
}

function requireDecodable(url: string): void {
  if (!url.includes("%")) return;
  try {
    decodeURIComponent(url);
  } catch (cause) {
    const message = "the address is not valid percent-encoding of UTF-8";
    throw new TraconError("request_invalid", message, {
      findings: [finding("invalid_value", "", message)],
      cause,
    });
  }
}

/** The path as it came, still encoded. */
function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const end = url.indexOf("?", start);
  return url.slice(start, end === -1 ? undefined : end);
}

function searchOf(url: string): string {
  const start = url.indexOf("?");
  return start === -1 ? "" : url.slice(start + 1);
}
