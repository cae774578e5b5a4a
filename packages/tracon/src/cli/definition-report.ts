/** Plans, differences and findings as a person reads them. */

import { styleText } from "node:util";
import type { Change } from "../portable/content-diff.ts";
import { type DiffLine, diffLines } from "../portable/line-diff.ts";
import { isDrift, type PlanStep } from "../portable/plan.ts";
import type { FileFinding, FileNote } from "../portable/portable-finding.ts";

type Color = "red" | "green" | "yellow" | "dim";
/** Colours a text, or leaves it as it is where there are no colours. */
export type Paint = (color: Color, text: string) => string;

export const painter =
  (hasColors: boolean): Paint =>
  (color, text) =>
    hasColors ? styleText(color, text, { validateStream: false }) : text;

/** From this length on a text is compared line by line. */
const LONG_TEXT = 80;

const LINE_MARKS = { same: "  ", removed: "- ", added: "+ ", gap: "…" } as const;
const LINE_COLORS = { removed: "red", added: "green", same: "dim", gap: "dim" } as const;

/** One member for each change, with its old and its new value; texts as lines. */
export function changesText(changes: readonly Change[], paint: Paint, indent = ""): string {
  return changes
    .flatMap((change) => changeLines(change, paint))
    .map((line) => `${indent}${line}\n`)
    .join("");
}

function changeLines({ path, before, after }: Change, paint: Paint): readonly string[] {
  if (isText(before) && isText(after) && (isLong(before) || isLong(after))) {
    const lines = diffLines(before, after).map((line) => `  ${diffLine(line, paint)}`);
    return [`${path}:`, ...lines];
  }
  return [
    `${path}:`,
    ...valueLines(before, "removed").map((line) => `  ${diffLine(line, paint)}`),
    ...valueLines(after, "added").map((line) => `  ${diffLine(line, paint)}`),
  ];
}

const diffLine = ({ kind, text }: DiffLine, paint: Paint): string =>
  paint(LINE_COLORS[kind], `${LINE_MARKS[kind]}${visible(text)}`.trimEnd());

function valueLines(value: unknown, kind: DiffLine["kind"]): readonly DiffLine[] {
  if (value === undefined) return [];
  const text = isText(value) && isLong(value) ? value : JSON.stringify(value, undefined, 2);
  return text.split("\n").map((line) => ({ kind, text: line }));
}

const isText = (value: unknown): value is string => typeof value === "string";
const isLong = (text: string): boolean => text.length > LONG_TEXT || text.includes("\n");

/** Text of a definition must not move the cursor or change the colours of the reader's terminal. */
const visible = (text: string): string =>
  text.replace(/\p{Cc}/gu, (character) =>
    character === "\t" || character === "\n" ? character : escaped(character),
  );

const escaped = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

const STEP_MARKS = { create: "+", change: "~", unchanged: "=", delete: "-", keep: "=" } as const;
const STEP_COLORS = { create: "green", change: "yellow", delete: "red" } as const;

/** A plan, one step a line, with what each change changes. */
export function planText(steps: readonly PlanStep[], paint: Paint): string {
  return steps.map((step) => `${stepLine(step, paint)}\n${stepChanges(step, paint)}`).join("");
}

function stepLine(step: PlanStep, paint: Paint): string {
  const line = `${STEP_MARKS[step.action]} ${step.action.padEnd(9)} ${step.name}${stepNote(step)}`;
  const { action } = step;
  return action === "unchanged" || action === "keep" ? line : paint(STEP_COLORS[action], line);
}

function stepNote(step: PlanStep): string {
  if (step.action === "keep") return "  (its file is gone; --prune deletes it)";
  if (!isDrift(step)) return "";
  return step.action === "create"
    ? "  (drift: it was deleted since the last apply)"
    : "  (drift: it was changed since the last apply)";
}

const stepChanges = (step: PlanStep, paint: Paint): string =>
  step.action === "change" ? changesText(step.changes, paint, "    ") : "";

export const findingsText = (findings: readonly FileFinding[]): string =>
  findings
    .map(({ severity, file, path, message, code }) => {
      const place = [file, path].filter((part) => part !== "").join(": ");
      return `${severity.toLowerCase()} ${place}: ${visible(message)} (${code})\n`;
    })
    .join("");

export const notesText = (notes: readonly FileNote[]): string =>
  notes.map(({ file, path, message }) => `note ${file}: ${path} ${message}\n`).join("");

/** A step for programs: without the content, which is in its file. */
export function stepJson(step: PlanStep): Readonly<Record<string, unknown>> {
  const { action, name } = step;
  return {
    action,
    name,
    ...("definition" in step ? { file: step.definition.file } : {}),
    ...("version" in step ? { version: step.version } : {}),
    ...(step.action === "change" ? { basedOn: step.basedOn, changes: step.changes } : {}),
    ...(isDrift(step) ? { drift: true } : {}),
  };
}
