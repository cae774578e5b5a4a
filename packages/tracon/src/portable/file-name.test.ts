import { expect, it } from "vitest";
import { fileNamesOf } from "./file-name.ts";

it("names a file as its agent", () => {
  expect([...fileNamesOf(["support", "Müşteri hizmeti", "a.b"], "yaml").values()]).toEqual([
    "support.yaml",
    "Müşteri hizmeti.yaml",
    "a.b.yaml",
  ]);
});

it("tells names apart that differ in case only", () => {
  const [left, right] = fileNamesOf(["Support", "support"], "json").values();

  expect(left).toMatch(/^Support-[0-9a-f]{8}\.json$/);
  expect(right).toMatch(/^support-[0-9a-f]{8}\.json$/);
  expect(left?.toLowerCase()).not.toBe(right?.toLowerCase());
});

it.each([
  ["the lock file", "tracon.lock", "json"],
  ["a device", "con", "yaml"],
  ["a device with an extension", "NUL.txt", "yaml"],
  ["more than a file system takes", "漢".repeat(128), "yaml"],
] as const)("never uses the name of %s", (_what, name, format) => {
  const [file = ""] = fileNamesOf([name], format).values();

  expect(file).toMatch(new RegExp(`-[0-9a-f]{8}\\.${format}$`));
  expect(file).not.toMatch(/^(con|nul)\./i);
  expect(Buffer.byteLength(file)).toBeLessThan(255);
});
