import { expect, it } from "vitest";
import { newSessionId } from "./new-session-id.ts";

it("makes an id of the random bytes it is given", () => {
  const id = newSessionId({ getRandomValues: (array) => array });

  expect(id).toBe(`play-${"0".repeat(20)}`);
});
