/**
 * The tool calls of one model answer with what they came to, as one step.
 *
 * Nearly every round is like none before it, and its tools or its arguments show that. So nothing is read
 * before it has to be: first the names are compared, then the arguments, then the results. What has been read
 * is kept as a fingerprint.
 */

import { canonicalJson } from "@tracon/core";
import type { ToolOutcome } from "../tools/chain/tool-link.ts";
import type { ToolEffect } from "../tools/tool-settings.ts";
import {
  fingerprint,
  MAX_PLAIN_LENGTH,
  plainArgument,
  plainResult,
  plainWords,
} from "./plain-text.ts";
import { passesTime, saysItWaits } from "./waiting.ts";

/** A call with what it came to. */
export type CalledTool = {
  readonly toolName: string;
  /** JSON text of the arguments. */
  readonly arguments: string;
  readonly outcome: Pick<ToolOutcome & { ok: true }, "ok" | "result"> | CallFault;
  readonly effect?: ToolEffect | undefined;
  /** The tool is registered as one that is polled. */
  readonly isPolled?: boolean | undefined;
};

type CallFault = Pick<ToolOutcome & { ok: false }, "ok" | "kind" | "error">;

/** Longest calls that are held until they have to be read, in UTF-16 units; longer ones are read at once. */
const MAX_HELD_LENGTH = 2 * MAX_PLAIN_LENGTH;

export class CallRound {
  readonly names: readonly string[];
  readonly #calls: readonly CalledTool[];
  #asked: string | undefined;
  #signature: string | undefined;
  #waits: boolean | undefined;

  constructor(calls: readonly CalledTool[]) {
    this.names = calls.map(({ toolName }) => toolName);
    this.#calls = calls;
    if (lengthOf(calls) <= MAX_HELD_LENGTH) return;
    this.#asked = askedBy(calls);
    this.#signature = signatureOf(calls);
    this.#waits = calls.some(saysToWait);
    this.#calls = [];
  }

  /** The same calls with the same results, in any order. */
  static isEqual(left: CallRound, right: CallRound): boolean {
    if (left.names.length !== right.names.length) return false;
    if (left.names.length === 1 && left.names[0] !== right.names[0]) return false;
    return left.asked === right.asked && left.signature === right.signature;
  }

  /** Of tools and arguments. */
  get asked(): string {
    this.#asked ??= askedBy(this.#calls);
    return this.#asked;
  }

  /** Of tools, arguments and results. */
  get signature(): string {
    this.#signature ??= signatureOf(this.#calls);
    return this.#signature;
  }

  /** One of the calls only lets time pass, or is told to wait. */
  get waits(): boolean {
    this.#waits ??= this.#calls.some(saysToWait);
    return this.#waits;
  }
}

function lengthOf(calls: readonly CalledTool[]): number {
  let length = 0;
  for (const call of calls) length += call.arguments.length + said(call).length;
  return length;
}

const said = ({ outcome }: CalledTool): string => (outcome.ok ? outcome.result : outcome.error);

const askedBy = (calls: readonly CalledTool[]): string => together(calls.map(asked));

const signatureOf = (calls: readonly CalledTool[]): string =>
  together(calls.map((call) => `${asked(call)}\n${plainResult(said(call))}`));

const together = (texts: readonly string[]): string =>
  fingerprint(texts.length === 1 ? (texts[0] ?? "") : texts.toSorted().join("\n\n"));

/** Of a call that was never run, because its tool or its arguments were wrong, only the complaint counts. */
function asked({ toolName, arguments: input, outcome }: CalledTool): string {
  if (outcome.ok) return `${toolName}\n${plainInput(input)}`;
  const wasWrong = outcome.kind === "UnknownTool" || outcome.kind === "InvalidArguments";
  return wasWrong
    ? `${toolName}\n${outcome.kind}`
    : `${toolName}\n${plainInput(input)}\n${outcome.kind}`;
}

function plainInput(input: string): string {
  if (input.length > MAX_PLAIN_LENGTH) return input;
  try {
    return canonicalJson(plainArgument(JSON.parse(input.trim() === "" ? "{}" : input)));
  } catch {
    return plainWords(input);
  }
}

const saysToWait = (call: CalledTool): boolean =>
  call.isPolled === true || passesTime(call.toolName, call.arguments) || saysItWaits(said(call));
