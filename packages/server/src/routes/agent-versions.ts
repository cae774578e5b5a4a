import { agentDefinitionSchema, finding, TraconError } from "@tracon/core";
import * as z from "zod";
import { agentNameOf } from "../agent-name.ts";
import { basedOnOf, ETAG, etagOf, IF_MATCH, saveHeaders, UNCHANGED } from "../etag.ts";
import { json } from "../json-response.ts";
import * as examples from "../openapi/examples.ts";
import { parseBody } from "../read-body.ts";
import { defineRoute } from "../route.ts";
import { TENANT_ID } from "../tenant.ts";

const tag = "Agents";

/** Two versions of one agent. */
export const versionPairSchema = z.object({
  left: agentDefinitionSchema,
  right: agentDefinitionSchema,
});
/** Which version to bring back. */
export const rollbackRequestSchema = z.strictObject({ version: z.int().min(1).max(2_147_483_647) });

const definitionContent = {
  "application/json": { schema: agentDefinitionSchema, example: examples.agentDefinition },
};

export const listAgentVersions = defineRoute({
  method: "GET",
  path: "/api/agents/{name}/versions",
  operationId: "listAgentVersions",
  tag,
  summary: "List the versions of an agent",
  description: "Full snapshots, newest first. An agent defined in code has none.",
  access: "guarded",
  responses: {
    200: {
      description: "Every version.",
      content: {
        "application/json": {
          schema: z.array(agentDefinitionSchema),
          example: [examples.agentDefinition],
        },
      },
    },
  },
  errors: ["agent_not_found"],
  async handler({ context, param }) {
    return json(await context.engine.agents.versions(TENANT_ID, agentNameOf(param("name"))));
  },
});

export const getAgentVersion = defineRoute({
  method: "GET",
  path: "/api/agents/{name}/versions/{n}",
  operationId: "getAgentVersion",
  tag,
  summary: "Read a version of an agent",
  access: "guarded",
  responses: {
    200: { description: "The snapshot.", content: definitionContent, headers: { ETag: ETAG } },
  },
  errors: ["agent_not_found", "agent_version_not_found"],
  async handler({ context, param }) {
    const name = agentNameOf(param("name"));
    const [version = 0] = versionsOf(param, ["n"]);
    const definition = await context.engine.agents.version(TENANT_ID, name, version);
    return json(definition, { headers: { etag: etagOf(definition.version) } });
  },
});

export const diffAgentVersions = defineRoute({
  method: "GET",
  path: "/api/agents/{name}/versions/{a}/diff/{b}",
  operationId: "diffAgentVersions",
  tag,
  summary: "Read two versions of an agent side by side",
  description: "Both snapshots as they are, in the order asked for.",
  access: "guarded",
  responses: {
    200: {
      description: "The two snapshots.",
      content: {
        "application/json": { schema: versionPairSchema, example: examples.versionPair },
      },
    },
  },
  errors: ["agent_not_found", "agent_version_not_found"],
  async handler({ context, param }) {
    const { agents } = context.engine;
    const name = agentNameOf(param("name"));
    const [a = 0, b = 0] = versionsOf(param, ["a", "b"]);
    const left = await agents.version(TENANT_ID, name, a);
    const right = await agents.version(TENANT_ID, name, b);
    return json({ left, right });
  },
});

export const rollbackAgent = defineRoute({
  method: "POST",
  path: "/api/agents/{name}/rollback",
  operationId: "rollbackAgent",
  tag,
  summary: "Bring an older version back",
  description: "Writes the content of the older version as a new one; nothing is rewritten.",
  access: "guarded",
  headers: [IF_MATCH],
  body: { schema: rollbackRequestSchema, example: { version: 2 }, limit: "definitionBodyBytes" },
  responses: {
    200: {
      description: "The new version.",
      content: definitionContent,
      headers: { ETag: ETAG, "Tracon-Unchanged": UNCHANGED },
    },
  },
  errors: [
    "agent_not_found",
    "agent_version_not_found",
    "agent_read_only",
    "definition_invalid",
    "version_conflict",
  ],
  async handler({ request, context, param, body }) {
    const { agents } = context.engine;
    const name = agentNameOf(param("name"));
    const { version } = parseBody(rollbackRequestSchema, body);
    const saved = await agents.rollback(TENANT_ID, name, version, basedOnOf(request));
    return json(saved.definition, { headers: saveHeaders(saved) });
  },
});

const VERSION = /^[1-9]\d{0,9}$/;
const MAX_VERSION = 2_147_483_647;

/** Version numbers of the path: decimal digits and nothing else, all problems at once. */
function versionsOf(param: (name: string) => string, names: readonly string[]): readonly number[] {
  const values = names.map((name) => ({ name, text: param(name) }));
  const findings = values
    .filter(({ text }) => !VERSION.test(text) || Number(text) > MAX_VERSION)
    .map(({ name }) => finding("invalid_value", `path.${name}`, "is not a version number"));
  if (findings.length > 0) {
    throw new TraconError("request_invalid", "the path has findings", { findings });
  }
  return values.map(({ text }) => Number(text));
}
