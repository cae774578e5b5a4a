import { finding, runEventSchema, TraconError } from "@tracon/core";
import * as z from "zod";
import { preferredType } from "../accept.ts";
import { jsonText } from "../json-response.ts";
import * as examples from "../openapi/examples.ts";
import { problemOf } from "../problem.ts";
import { clampedInteger } from "../read-query.ts";
import { defineRoute, type Exchange } from "../route.ts";
import { runIdOf } from "../run-id.ts";
import { eventStreamResponse } from "../sse/event-stream.ts";
import { errorFrame, recordedEventBytes } from "../sse/frame.ts";
import { TENANT_ID } from "../tenant.ts";

const DEFAULT_TAKE = 50;

const eventsQuery = z.object({
  after: z.string().describe("Sequence of the last event seen.").optional(),
  take: clampedInteger(1, 200).describe("Events of a page, 50 by default; pages only.").optional(),
});
type EventsQuery = z.output<typeof eventsQuery>;

export const followRunEvents = defineRoute({
  method: "GET",
  path: "/api/runs/{runId}/events",
  operationId: "followRunEvents",
  tag: "Runs",
  summary: "Follow or read the recorded events of a run",
  description:
    "As a stream (the default) from the event after the cursor until the run has ended, live and past runs alike; or, when `Accept` prefers `application/json`, one page of the events recorded so far.",
  access: "guarded",
  query: eventsQuery,
  headers: [
    {
      name: "Last-Event-ID",
      description: "Sequence of the last event seen; wins over `after`.",
      example: "4",
    },
  ],
  responses: {
    200: {
      description: "The events.",
      content: {
        "text/event-stream": { example: examples.runEventStream },
        "application/json": { schema: z.array(runEventSchema), example: [examples.runEvent] },
      },
      headers: { Link: 'The next page of the JSON form, as `rel="next"`.' },
    },
  },
  errors: ["run_not_found", "cursor_invalid"],

  handler(exchange) {
    const runId = runIdOf(exchange.param("runId"));
    const { headers } = exchange.request;
    // A browser that reconnects repeats its first URL, so the header is the newer of the two.
    const cursor = headers.get("last-event-id") ?? exchange.query.after;
    const after = cursor === undefined ? -1 : sequenceOf(cursor);
    const form = preferredType(headers.get("accept"), ["text/event-stream", "application/json"]);
    return form === "application/json"
      ? eventPage(exchange, runId, after)
      : eventStream(exchange, runId, after);
  },
});

async function eventPage(
  { context, query }: Exchange<EventsQuery>,
  runId: string,
  after: number,
): Promise<Response> {
  const take = query.take ?? DEFAULT_TAKE;
  const events = await context.engine.runs.eventPage(TENANT_ID, runId, { after, take });
  const text = `[${events.map((event) => event.json).join(",")}]`;

  const last = events.length === take ? events.at(-1) : undefined;
  if (last === undefined) return jsonText(text);
  const path = `${context.prefix}/api/runs/${runId}/events`;
  const next = `${path}?after=${last.sequence}&take=${take}`;
  return jsonText(text, { headers: { link: `<${next}>; rel="next"` } });
}

async function eventStream(
  { request, context, query }: Exchange<EventsQuery>,
  runId: string,
  after: number,
): Promise<Response> {
  if (query.take !== undefined) throw takeWithoutPages();
  const left = new AbortController();
  const batches = await context.engine.runs.events(TENANT_ID, runId, {
    after,
    signal: left.signal,
  });
  return eventStreamResponse({
    batches,
    encode: recordedEventBytes,
    onFailure: (error) => errorFrame({ ...problemOf(error, context), runId }),
    onDisconnect: () => left.abort(),
    signal: request.signal,
    clock: context.clock,
    timer: context.timer,
    keepAliveMs: context.limits.keepAliveMs,
  });
}

const SEQUENCE = /^(?:0|[1-9]\d{0,9})$/;
const MAX_SEQUENCE = 2_147_483_647;

function sequenceOf(cursor: string): number {
  if (SEQUENCE.test(cursor) && Number(cursor) <= MAX_SEQUENCE) return Number(cursor);
  throw new TraconError("cursor_invalid", "the cursor is not the sequence of an event");
}

function takeWithoutPages(): TraconError {
  const message = "only pages have a size; ask for them with 'Accept: application/json'";
  return new TraconError("request_invalid", message, {
    findings: [finding("invalid_value", "query.take", message)],
  });
}
