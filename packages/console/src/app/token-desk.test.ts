import { expect, it } from "vitest";
import { createTokenDesk } from "./token-desk.ts";

it("asks once for all requests that were refused and keeps the token", async () => {
  const desk = createTokenDesk(storage());

  const waiting = [desk.onUnauthorized(), desk.onUnauthorized()];
  desk.give("secret");

  expect(await Promise.all(waiting)).toEqual([true, true]);
  expect(desk.token()).toBe("secret");
  expect(desk.isAsking.get()).toBe(false);
});

it("does not ask again by itself once the person has declined", async () => {
  const desk = createTokenDesk(storage());
  const first = desk.onUnauthorized();
  desk.decline();

  const second = await desk.onUnauthorized();

  expect([await first, second]).toEqual([false, false]);
  expect(desk.isAsking.get()).toBe(false);
});

it("asks again when the person wants it, and from then on by itself", async () => {
  const desk = createTokenDesk(storage());
  desk.decline();

  const asked = desk.ask();
  desk.give("secret");
  const later = desk.onUnauthorized();
  const isAskingLater = desk.isAsking.get();
  desk.decline();

  expect(await asked).toBe(true);
  expect(isAskingLater).toBe(true);
  expect(await later).toBe(false);
});

function storage(): Pick<Storage, "getItem" | "setItem"> {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, value),
  };
}
