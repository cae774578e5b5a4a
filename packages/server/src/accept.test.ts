import { expect, it } from "vitest";
import { preferredType } from "./accept.ts";

const JSON_TYPE = "application/json";
const STREAM = "text/event-stream";

it.each([
  [null, STREAM],
  ["*/*", STREAM],
  ["", STREAM],
  ["text/html", STREAM],
  ["text/event-stream", STREAM],
  ["application/json", JSON_TYPE],
  ["Application/JSON", JSON_TYPE],
  ["application/json, text/plain, */*", JSON_TYPE],
  ["application/*", JSON_TYPE],
  ["application/json, text/event-stream", STREAM],
  ["application/json, text/event-stream;q=0.5", JSON_TYPE],
  ["application/json;q=0.2, */*;q=0.5", STREAM],
  ["application/json;q=0, */*", STREAM],
  ["application/json;q=nonsense", STREAM],
])("answers %j with %s", (accept, expected) => {
  expect(preferredType(accept, [STREAM, JSON_TYPE])).toBe(expected);
});
