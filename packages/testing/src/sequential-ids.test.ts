import { expect, it } from "vitest";
import * as z from "zod";
import { sequentialIds } from "./sequential-ids.ts";

it("makes valid UUIDv7 strings that rise", () => {
  const ids = sequentialIds();

  const made = Array.from({ length: 300 }, () => ids.next());

  expect(made.every((id) => z.uuidv7().safeParse(id).success)).toBe(true);
  expect(new Set(made).size).toBe(300);
  expect(made).toEqual([...made].sort());
});

it("makes the same ids in every source", () => {
  expect(sequentialIds().next()).toBe(sequentialIds().next());
});
