/** Codes and event types are contracts: each is used, documented and spelled one way. */

import { errorCodes, findingCodes, runEventFrames, runEventPayloads } from "@tracon/core";
import { expect, it } from "vitest";
import { isTest, modulesBelow, sourcesOf } from "./source-tree/modules.ts";
import { packageNames } from "./source-tree/packages.ts";

const SNAKE_CASE = /^[a-z]+(_[a-z]+)*$/;
/** `noun.past-participle`, or a plain word for events of the user's own making. */
const FRAME = /^[a-z]+(-[a-z]+)*(\.[a-z]+(-[a-z]+)*)?$/;

const sources = packageNames.flatMap((name) => sourcesOf(name)).map(({ text }) => text);

const tests = ["packages", "e2e"]
  .flatMap(modulesBelow)
  .filter(({ path }) => isTest(path))
  .map(({ text }) => text);

it("spells error and finding codes in snake case", () => {
  const codes = [...Object.keys(errorCodes), ...Object.keys(findingCodes)];

  expect(codes.filter((code) => !SNAKE_CASE.test(code))).toEqual([]);
});

it("says of every code what it means, in a sentence", () => {
  const meanings = Object.entries({ ...errorCodes, ...findingCodes });

  expect(meanings.filter(([, meaning]) => !/^[A-Z].*\.$/.test(meaning))).toEqual([]);
});

it("raises every error code somewhere", () => {
  expect(Object.keys(errorCodes).filter((code) => !isUsed(code))).toEqual([]);
});

it("reports every finding code somewhere", () => {
  expect(Object.keys(findingCodes).filter((code) => !isUsed(code))).toEqual([]);
});

it("provokes every finding code in a test", () => {
  const unprovoked = Object.keys(findingCodes).filter(
    (code) => !tests.some((text) => text.includes(`"${code}"`)),
  );

  expect(unprovoked).toEqual([]);
});

it("gives every event type a frame name of its own", () => {
  const frames = Object.values(runEventFrames);

  expect(Object.keys(runEventFrames)).toEqual(Object.keys(runEventPayloads));
  expect(new Set(frames).size).toBe(frames.length);
  expect(frames.filter((frame) => !FRAME.test(frame))).toEqual([]);
});

/** The tables themselves write their codes without quotes. */
const isUsed = (code: string): boolean => sources.some((text) => text.includes(`"${code}"`));
