/** Malformed requests, made from the OpenAPI document, against the product as it is run. */

import { memoryLog, storeMatrix } from "@tracon/testing";
import fc from "fast-check";
import { createTracon, type Tracon } from "tracon";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type FuzzedDocument,
  type FuzzRequest,
  openApiRequests,
  problemsOf,
} from "../fuzz/openapi-requests.ts";

const REQUESTS = 5_000;
/** Longer than any answer takes, also on a busy machine; a stream here ends with its run. */
const HANG_MS = 15_000;

const stores = storeMatrix().filter(({ engine }) => engine !== "memory");

describe.each(stores)("on $engine", ({ newUrl }) => {
  const log = memoryLog();
  let tracon: Tracon;
  beforeAll(async () => {
    const storage = await newUrl();
    tracon = await createTracon(
      {
        storage,
        log,
        providers: { demo: { kind: "scripted", models: { m: [{ text: "Hello!" }] } } },
        agents: [{ name: "support", model: { provider: "demo", model: "m" } }],
      },
      { env: {} },
    );
  });
  afterAll(() => tracon.close());

  it(`answers ${REQUESTS / stores.length} malformed requests, none with a fault of its own`, {
    timeout: 120_000,
  }, async () => {
    const answer = await tracon.fetch(new Request("http://localhost/tracon/openapi.json"));
    const document = (await answer.json()) as FuzzedDocument;

    await fc.assert(
      fc.asyncProperty(openApiRequests(document), async (request) => {
        const signal = AbortSignal.timeout(HANG_MS);
        const response = await tracon.fetch(requestOf(request, signal));

        expect(await problemsOf(response)).toEqual([]);
        expect(signal.aborted).toBe(false);
      }),
      { numRuns: REQUESTS / stores.length },
    );

    const faults = log.entries.filter(({ level }) => level === "error");
    expect(faults).toEqual([]);
    expect(await tracon.run("support", { message: "Still there?" })).toMatchObject({
      status: "Completed",
    });
    expect(await tracon.runs.list({ status: "Running" })).toEqual([]);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

const requestOf = ({ method, path, headers, body }: FuzzRequest, signal: AbortSignal): Request =>
  new Request(`http://localhost/tracon${path}`, {
    method,
    headers,
    signal,
    ...(body === undefined ? {} : { body: body as BodyInit }),
  });
