import { runEventFrames, runEventPayloads, terminalEventTypes } from "@tracon/core";
import * as z from "zod";
import { runCostSchema } from "../../packages/core/src/run/cost.ts";
import { runErrorSchema } from "../../packages/core/src/run/run-record.ts";
import { runUsageSchema } from "../../packages/core/src/run/usage.ts";
import { type JsonSchema, jsonType } from "./json-type.ts";
import { code, table } from "./table.ts";

const named = [
  { name: "RunUsage", schema: jsonSchemaOf(runUsageSchema) },
  { name: "RunCost", schema: jsonSchemaOf(runCostSchema) },
  { name: "RunError", schema: jsonSchemaOf(runErrorSchema) },
];

export function eventsPage(): string {
  const rows = types().map((type) => [
    code(type),
    code(runEventFrames[type]),
    code(jsonType(jsonSchemaOf(runEventPayloads[type]), named)),
  ]);
  const shapes = named.map(({ name, schema }) => [code(name), code(jsonType(schema))]);
  const terminal = types().filter((type) => terminalEventTypes.has(type));

  return `# Run events

The journal of a run: one sequence without gaps, from 0. Every event has \`runId\`, \`sequence\`,
\`type\`, \`timestamp\`, a \`payload\` and, where it carries text, \`text\`. Over SSE the frame's \`event\`
is the name below and its \`id\` the sequence.

Exactly one of ${terminal.map(code).join(", ")} is the last event of every run that ended.

${table(["Type", "Frame", "Payload"], rows)}

Shapes that several payloads share:

${table(["Name", "Shape"], shapes)}
`;
}

/** Without the dialect's name, which only a whole document carries. */
function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "output" });
  return rest as JsonSchema;
}

const types = () => Object.keys(runEventPayloads) as (keyof typeof runEventPayloads)[];
