import { createGate } from "./access.ts";
import { createReferencePage } from "./docs/reference-page.ts";
import { openApiDocument } from "./openapi/document.ts";
import type { RouteContext } from "./route.ts";
import { createRouter } from "./router.ts";
import { routes } from "./routes/index.ts";
import {
  DEFAULT_LIMITS,
  normalizePrefix,
  processTimer,
  type Server,
  type ServerOptions,
} from "./server-options.ts";

/**
 * Builds the HTTP API over an engine: a pure function from request to response, without a socket.
 * Throws `configuration_invalid` when the prefix is not a path.
 */
export function createServer(options: ServerOptions): Server {
  const { engine, version, token, log, clock, consoleFiles, allowRemote = false } = options;
  const prefix = normalizePrefix(options.prefix ?? "/tracon");
  const gate = createGate({ token, allowRemote });
  const document = once(() => openApiDocument({ prefix, version }));
  const openApiText = once(() => JSON.stringify(document()));
  const referencePage = once(() => createReferencePage(document()));

  const context: RouteContext = {
    engine,
    prefix,
    version,
    log,
    clock,
    timer: options.timer ?? processTimer,
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    authentication: {
      allowRemoteAccess: allowRemote,
      requiresBearerToken: token !== undefined,
    },
    isAdmitted: (request, info) => gate(request, info, "guarded") === undefined,
    openApiText,
    referencePage: () => referencePage()(),
  };
  const answer = createRouter({ routes, context, gate, consoleFiles });
  return { fetch: (request, info = {}) => answer(request, info) };
}

/** The value of `make`, made when it is first asked for. */
function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
