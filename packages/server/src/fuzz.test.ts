import fc from "fast-check";
import { expect, it } from "vitest";
import {
  type FuzzRequest,
  openApiRequests,
  problemsOf,
} from "../../../e2e/fuzz/openapi-requests.ts";
import { openApiDocument } from "./openapi/document.ts";
import { testServer } from "./testing/test-server.ts";

const REQUESTS = 5_000;

it("answers whatever is sent to any operation, and never with a fault", {
  timeout: 120_000,
}, async () => {
  const document = openApiDocument({ prefix: "/tracon", version: "0.1.0" });
  const server = testServer();

  await fc.assert(
    fc.asyncProperty(openApiRequests(document), async (request) => {
      const response = await server.ask(`/tracon${request.path}`, initOf(request));

      expect(await problemsOf(response)).toEqual([]);
    }),
    { numRuns: REQUESTS },
  );

  expect(server.logged).toEqual([]);
  expect(server.timers.size).toBe(0);
  expect(Object.keys(Object.prototype)).toEqual([]);
});

const initOf = ({ method, headers, body }: FuzzRequest): RequestInit => ({
  method,
  headers,
  ...(body === undefined ? {} : { body: body as BodyInit }),
});
