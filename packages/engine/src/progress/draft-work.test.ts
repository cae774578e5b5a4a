import { expect, it } from "vitest";
import { DraftWork, type WorkStep } from "./draft-work.ts";

it("is equal to work of the same steps in the same order, and to no other", () => {
  const work = workOf("read", "write");

  expect(work.isEqual(workOf("read", "write"))).toBe(true);
  expect(work.isEqual(workOf("write", "read"))).toBe(false);
  expect(work.isEqual(workOf("read"))).toBe(false);
  expect(work.isEqual(workOf("read", "delete"))).toBe(false);
});

it("tells works of many steps apart by their first one and by their last", () => {
  const names = Array.from({ length: 40 }, (_, index) => `step ${index}`);
  const work = workOf(...names);

  expect(work.isEqual(workOf(...names))).toBe(true);
  expect(work.isEqual(workOf("another", ...names.slice(1)))).toBe(false);
  expect(work.isEqual(workOf(...names.slice(0, -1), "another"))).toBe(false);
});

it("reads none of a few steps while it is compared with work of another length", () => {
  let reads = 0;
  const unread: WorkStep = {
    get signature() {
      reads += 1;
      return "read";
    },
  };
  const work = new DraftWork();
  work.add(unread);

  expect(work.isEqual(new DraftWork())).toBe(false);
  expect(reads).toBe(0);
});

function workOf(...signatures: readonly string[]): DraftWork {
  const work = new DraftWork();
  for (const signature of signatures) work.add({ signature });
  return work;
}
