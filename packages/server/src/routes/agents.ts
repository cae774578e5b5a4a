import {
  agentDefinitionRequestSchema,
  agentDefinitionSchema,
  agentDescriptorSchema,
  agentDetailSchema,
  validationReportSchema,
} from "@tracon/core";
import * as z from "zod";
import { agentNameOf, agentPath } from "../agent-name.ts";
import { boundedFindings } from "../bounded-findings.ts";
import {
  basedOnOf,
  ETAG,
  etagOf,
  IF_MATCH,
  IF_MATCH_OF_DELETE,
  saveHeaders,
  UNCHANGED,
} from "../etag.ts";
import { json, noContent } from "../json-response.ts";
import * as examples from "../openapi/examples.ts";
import { defineRoute } from "../route.ts";
import { TENANT_ID } from "../tenant.ts";

const tag = "Agents";
const definitionBody = {
  schema: agentDefinitionRequestSchema,
  example: examples.agentDefinitionRequest,
  limit: "definitionBodyBytes",
} as const;
const definitionContent = {
  "application/json": { schema: agentDefinitionSchema, example: examples.agentDefinition },
};
const LOCATION = { Location: "Path of the agent." };

export const listAgents = defineRoute({
  method: "GET",
  path: "/api/agents",
  operationId: "listAgents",
  tag,
  summary: "List the agents of the catalog",
  description: "Agents from code, the database and custom sources, by name. Not paged.",
  access: "guarded",
  responses: {
    200: {
      description: "The catalog.",
      content: {
        "application/json": {
          schema: z.array(agentDescriptorSchema),
          example: [examples.agentDescriptor],
        },
      },
    },
  },
  errors: [],
  handler: async ({ context }) => json(await context.engine.agents.list(TENANT_ID)),
});

export const createAgent = defineRoute({
  method: "POST",
  path: "/api/agents",
  operationId: "createAgent",
  tag,
  summary: "Create an agent",
  description: "Nothing is written when the definition has findings or the name is taken.",
  access: "guarded",
  body: definitionBody,
  responses: {
    201: {
      description: "The definition as stored.",
      content: definitionContent,
      headers: { ...LOCATION, ETag: ETAG },
    },
  },
  errors: ["definition_invalid", "agent_exists"],
  async handler({ context, body }) {
    const { definition } = await context.engine.agents.create(TENANT_ID, body);
    const headers = {
      etag: etagOf(definition.version),
      location: agentPath(context.prefix, definition.name),
    };
    return json(definition, { status: 201, headers });
  },
});

export const validateAgent = defineRoute({
  method: "POST",
  path: "/api/agents/validate",
  operationId: "validateAgent",
  tag,
  summary: "Check a definition without saving it",
  description: "Makes the checks of a save and calls no model.",
  access: "guarded",
  body: definitionBody,
  responses: {
    200: {
      description: "What the compiler says, also of a definition that is not valid.",
      content: {
        "application/json": { schema: validationReportSchema, example: examples.validationReport },
      },
    },
  },
  errors: ["definition_invalid"],
  async handler({ context, body }) {
    const report = await context.engine.agents.validate(TENANT_ID, body);
    const { shown: messages, omitted } = boundedFindings(report.messages);
    const messagesOmitted = omitted === 0 ? {} : { messagesOmitted: omitted };
    return json({ ...report, messages, ...messagesOmitted });
  },
});

export const getAgent = defineRoute({
  method: "GET",
  path: "/api/agents/{name}",
  operationId: "getAgent",
  tag,
  summary: "Read an agent",
  description: "An agent defined in code has no definition to show and cannot be edited.",
  access: "guarded",
  responses: {
    200: {
      description: "The catalog entry and the current definition.",
      headers: { ETag: ETAG },
      content: {
        "application/json": { schema: agentDetailSchema, example: examples.agentDetail },
      },
    },
  },
  errors: ["agent_not_found"],
  async handler({ context, param }) {
    const detail = await context.engine.agents.get(TENANT_ID, agentNameOf(param("name")));
    return json(detail, { headers: { etag: etagOf(detail.descriptor.version) } });
  },
});

export const saveAgent = defineRoute({
  method: "PUT",
  path: "/api/agents/{name}",
  operationId: "saveAgent",
  tag,
  summary: "Save an agent",
  description:
    "Appends a version; creates the agent when there is none of that name. The body names the same agent as the path.",
  access: "guarded",
  headers: [IF_MATCH],
  body: definitionBody,
  responses: {
    200: {
      description: "The definition as stored.",
      content: definitionContent,
      headers: { ETag: ETAG, "Tracon-Unchanged": UNCHANGED },
    },
    201: {
      description: "The agent was created.",
      content: definitionContent,
      headers: { ...LOCATION, ETag: ETAG },
    },
  },
  errors: ["definition_invalid", "agent_read_only", "version_conflict"],
  async handler({ request, context, param, body }) {
    const name = agentNameOf(param("name"));
    const saved = await context.engine.agents.save(TENANT_ID, name, body, basedOnOf(request));
    if (!saved.created) return json(saved.definition, { headers: saveHeaders(saved) });
    const location = agentPath(context.prefix, saved.definition.name);
    return json(saved.definition, { status: 201, headers: { ...saveHeaders(saved), location } });
  },
});

export const deleteAgent = defineRoute({
  method: "DELETE",
  path: "/api/agents/{name}",
  operationId: "deleteAgent",
  tag,
  summary: "Delete an agent",
  description:
    "Removes the definition and all its versions. Runs are kept, and a later agent of that name continues the numbering.",
  access: "guarded",
  headers: [IF_MATCH_OF_DELETE],
  responses: { 204: { description: "The agent is gone." } },
  errors: ["agent_not_found", "agent_read_only", "version_conflict"],
  async handler({ request, context, param }) {
    const name = agentNameOf(param("name"));
    await context.engine.agents.delete(TENANT_ID, name, basedOnOf(request));
    return noContent();
  },
});
