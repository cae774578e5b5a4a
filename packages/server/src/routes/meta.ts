import * as z from "zod";
import { json } from "../json-response.ts";
import { defineRoute } from "../route.ts";

/** What a client needs to know before it can ask for anything. */
export const metaSchema = z.object({
  version: z.string(),
  prefix: z.string(),
  authentication: z.object({
    allowRemoteAccess: z.boolean(),
    requiresBearerToken: z.boolean(),
    requiresAuthorizationPolicy: z.boolean(),
  }),
  storage: z.object({
    persistent: z.boolean(),
    agentDefinitionStore: z.string(),
    runStore: z.string(),
  }),
  /** What the caller of this very request may do. */
  roles: z.object({
    canRead: z.boolean(),
    canOperate: z.boolean(),
    canAdminister: z.boolean(),
  }),
});
export type Meta = z.output<typeof metaSchema>;

const example: Meta = {
  version: "0.1.0",
  prefix: "/tracon",
  authentication: {
    allowRemoteAccess: false,
    requiresBearerToken: false,
    requiresAuthorizationPolicy: false,
  },
  storage: { persistent: true, agentDefinitionStore: "sqlite", runStore: "sqlite" },
  roles: { canRead: true, canOperate: true, canAdminister: true },
};

export const getMeta = defineRoute({
  method: "GET",
  path: "/api/meta",
  operationId: "getMeta",
  tag: "Meta",
  summary: "Read version, stores and how to authenticate",
  description: "Answered to everyone, without a credential.",
  access: "open",
  responses: {
    200: {
      description: "The installation.",
      content: { "application/json": { schema: metaSchema, example } },
    },
  },
  errors: [],
  handler({ request, info, context }) {
    const { storage } = context.engine;
    const admitted = context.isAdmitted(request, info);
    return json({
      version: context.version,
      prefix: context.prefix,
      authentication: { ...context.authentication, requiresAuthorizationPolicy: false },
      storage: {
        persistent: storage !== "memory",
        agentDefinitionStore: storage,
        runStore: storage,
      },
      roles: { canRead: admitted, canOperate: admitted, canAdminister: admitted },
    } satisfies Meta);
  },
});
