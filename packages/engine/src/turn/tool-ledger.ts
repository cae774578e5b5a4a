/**
 * The tool calls of a turn that have an outcome, so that a turn begun again with another model does not
 * run them again.
 *
 * Calls are told apart by name and canonical arguments, and equal ones by their order: the second equal
 * call of an attempt is answered with the outcome of the second one before, or is run.
 */

import { canonicalJson } from "@tracon/core";
import type { ToolOutcome } from "../tools/chain/tool-link.ts";

/** A call of this attempt: its outcome of an earlier one, and how to note the one it comes to. */
export type LedgerEntry = {
  readonly known: ToolOutcome | undefined;
  note(outcome: ToolOutcome): void;
};

export class ToolLedger {
  readonly #outcomes = new Map<string, ToolOutcome[]>();
  #begun = new Map<string, number>();

  /** From here on calls count anew. */
  beginAttempt(): void {
    this.#begun = new Map();
  }

  /** Whether an earlier attempt ran a call that this one has not come to. */
  get hasUnclaimed(): boolean {
    return [...this.#outcomes].some(([key, { length }]) => length > (this.#begun.get(key) ?? 0));
  }

  /** `input` is the JSON text of the arguments, as checked before. */
  begin(toolName: string, input: string): LedgerEntry {
    const value: unknown = input.trim() === "" ? {} : JSON.parse(input);
    const key = `${toolName}\n${canonicalJson(value)}`;
    const outcomes = this.#outcomes.get(key) ?? [];
    this.#outcomes.set(key, outcomes);
    const place = this.#begun.get(key) ?? 0;
    this.#begun.set(key, place + 1);
    return { known: outcomes[place], note: (outcome) => void outcomes.push(outcome) };
  }
}
