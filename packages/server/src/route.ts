/**
 * What a route is: everything the router, the OpenAPI document and the reference page need to know
 * of one operation, as one object.
 */

import type { Clock, ErrorCode, Log } from "@tracon/core";
import type { Engine } from "@tracon/engine";
import type * as z from "zod";
import type { Access } from "./access.ts";
import { readBody } from "./read-body.ts";
import { noQuery, type QuerySchema, readQuery } from "./read-query.ts";
import type { ConnectionInfo, ServerLimits, Timer } from "./server-options.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** The parts of a server its routes work with. */
export type RouteContext = {
  readonly engine: Engine;
  readonly prefix: string;
  readonly version: string;
  readonly log: Log;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly limits: Required<ServerLimits>;
  readonly authentication: {
    readonly allowRemoteAccess: boolean;
    readonly requiresBearerToken: boolean;
  };
  /** Whether the caller passes the gate of the data calls. */
  readonly isAdmitted: (request: Request, info: ConnectionInfo) => boolean;
  /** The OpenAPI document as JSON text. */
  readonly openApiText: () => string;
  /** The reference page. */
  readonly referencePage: () => Response;
};

/** A request as the router hands it on. */
export type Arrival = {
  readonly request: Request;
  readonly info: ConnectionInfo;
  readonly context: RouteContext;
  /** The query without its question mark, as it came. */
  readonly search: string;
  /** A path parameter, decoded once. */
  readonly param: (name: string) => string;
};

/** A request as a handler sees it: query read, body parsed. */
export type Exchange<Query> = Omit<Arrival, "search"> & {
  readonly query: Query;
  /** The parsed JSON body of a route that has one. */
  readonly body: unknown;
};

/** One form of an answer. `schema` is absent for forms that are not JSON. */
export type ResponseContent = { readonly schema?: z.ZodType; readonly example: unknown };

export type ResponseSpec = {
  readonly description: string;
  readonly content?: Readonly<Record<string, ResponseContent>>;
  readonly headers?: Readonly<Record<string, string>>;
};

export type HeaderSpec = {
  readonly name: string;
  readonly description: string;
  readonly example: string;
};

export type BodySpec = {
  readonly schema: z.ZodType;
  readonly example: unknown;
  readonly limit: "runBodyBytes" | "definitionBodyBytes";
};

/** A body that is a form with one file in it, which the handler reads. */
export type UploadSpec = { readonly field: string; readonly description: string };

type RouteShape = {
  readonly method: Method;
  /** Below the prefix, parameters in braces. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  readonly headers?: readonly HeaderSpec[];
  readonly body?: BodySpec;
  readonly upload?: UploadSpec;
  readonly responses: Readonly<Record<number, ResponseSpec>>;
  /** Codes this operation answers besides those of every operation. */
  readonly errors: readonly ErrorCode[];
};

type RouteSpec<Query extends QuerySchema> = RouteShape & {
  readonly query?: Query;
  readonly handler: (exchange: Exchange<z.output<Query>>) => Response | Promise<Response>;
};

export type Route = RouteShape & {
  readonly query: QuerySchema;
  /** May throw what it would reject with: the reads that need no waiting wait for nothing. */
  readonly handle: (arrival: Arrival) => Response | Promise<Response>;
};

/** A route whose handler sees its query and body only once they have been read. */
export function defineRoute<Query extends QuerySchema>(spec: RouteSpec<Query>): Route {
  const { handler, ...shape } = spec;
  const schema = (spec.query ?? noQuery) as Query;
  const limit = spec.body?.limit;

  const handle = (arrival: Arrival) => {
    const { request, info, context, param, search } = arrival;
    const query = readQuery(schema, search);
    if (limit === undefined) {
      return handler({ request, info, context, param, query, body: undefined });
    }
    const { bodyDepth, bodyValues, [limit]: maxBytes } = context.limits;
    return readBody(request, { maxBytes, bodyDepth, bodyValues }).then((body) =>
      handler({ request, info, context, param, query, body }),
    );
  };
  return { ...shape, query: schema, handle };
}
