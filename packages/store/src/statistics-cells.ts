/**
 * The cells of an hour: the distinct combinations of agent, version, model, user, labels and outcome
 * that its runs are counted under.
 *
 * Their number is bounded, because a query over an hour costs as much as the hour has cells: when an
 * hour is full, further users, labels and failures are counted as `other`, and then agents and models
 * too. The bound is kept for each process, in memory: asking the database would cost every commit a query.
 */

import { createHash } from "node:crypto";

/** Stands for everything that was too much to be counted apart. No stored text looks like it. */
export const OTHER = "\u0010other";
/** Stands for nothing at all: no user, no model, no currency. */
export const NONE = "";
/** Where the criteria of `OTHER` agents stand. */
export const NO_POSITION = -1;
/** The version of `OTHER` agents, and of agents that have none. */
export const NO_VERSION = 0;

/** Combinations of an hour that keep everything; as many again keep agent, version and model. */
const MAX_CELLS = 1_000;
/** Criteria of an hour that are counted under their agent. */
const MAX_CRITERIA = 1_000;
/** Tools of an hour: models call names that do not exist. */
const MAX_TOOLS = 500;
/** Longest tool name that is counted under its name: it stands in an index. */
const MAX_TOOL_NAME = 256;
/** Hours of tenants remembered; the one that was not used for longest goes first. */
const MAX_HOURS = 64;
/** Characters of a cell's key: 132 bits of its hash. */
const KEY_LENGTH = 22;

/** What a run is counted under, in the form of the columns. */
export type CellDimensions = {
  readonly kind: string;
  readonly status: string;
  readonly errorClass: string;
  readonly currency: string;
  readonly agentName: string;
  readonly agentVersion: number;
  readonly modelProvider: string;
  readonly modelId: string;
  readonly userId: string;
  readonly labels: string;
  readonly fingerprint: string;
};

/** What a criterion of a loop is counted under, in the form of the columns. */
export type CriterionDimensions = {
  readonly agentName: string;
  readonly kind: string;
  readonly position: number;
  readonly currency: string;
};

export type CriterionCell = { readonly key: string; readonly dimensions: CriterionDimensions };

export type Cell = { readonly key: string; readonly dimensions: CellDimensions };

type HourBook = {
  readonly full: Map<string, string>;
  readonly reduced: Map<string, string>;
  readonly tools: Set<string>;
  readonly criteria: Map<string, string>;
};

export class StatisticsCells {
  /** The least recently used first. */
  readonly #hours = new Map<string, HourBook>();

  /** The cell to count a run under. */
  cellOf(tenantId: string, hour: number, dimensions: CellDimensions): Cell {
    const book = this.#book(tenantId, hour);
    const full = keyIn(book.full, dimensions, MAX_CELLS);
    if (full !== undefined) return { key: full, dimensions };
    const reduced = withoutPeople(dimensions);
    const key = keyIn(book.reduced, reduced, MAX_CELLS);
    if (key !== undefined) return { key, dimensions: reduced };
    const least = outcomeOnly(reduced);
    return { key: keyOf(textOf(least)), dimensions: least };
  }

  /** The name to count a tool under. */
  toolOf(tenantId: string, hour: number, toolName: string): string {
    if (toolName.length > MAX_TOOL_NAME) return OTHER;
    const { tools } = this.#book(tenantId, hour);
    if (!tools.has(toolName)) {
      if (tools.size >= MAX_TOOLS) return OTHER;
      tools.add(toolName);
    }
    return toolName;
  }

  /** The cell to count a criterion under. */
  criterionOf(tenantId: string, hour: number, dimensions: CriterionDimensions): CriterionCell {
    const { criteria } = this.#book(tenantId, hour);
    const key = keyIn(criteria, dimensions, MAX_CRITERIA);
    if (key !== undefined) return { key, dimensions };
    const least = { ...dimensions, agentName: OTHER, position: NO_POSITION };
    return { key: keyOf(textOf(least)), dimensions: least };
  }

  #book(tenantId: string, hour: number): HourBook {
    const key = `${hour} ${tenantId}`;
    const known = this.#hours.get(key);
    const book = known ?? emptyBook();
    this.#hours.delete(key);
    this.#hours.set(key, book);
    const [oldest] = this.#hours.keys();
    if (this.#hours.size > MAX_HOURS && oldest !== undefined) this.#hours.delete(oldest);
    return book;
  }
}

const emptyBook = (): HourBook => ({
  full: new Map(),
  reduced: new Map(),
  tools: new Set(),
  criteria: new Map(),
});

function keyIn(cells: Map<string, string>, dimensions: object, max: number): string | undefined {
  const text = textOf(dimensions);
  const known = cells.get(text);
  if (known !== undefined || cells.size >= max) return known;
  const key = keyOf(text);
  cells.set(text, key);
  return key;
}

/** A user or a label that is not there is no other one. */
const withoutPeople = (all: CellDimensions): CellDimensions => ({
  ...all,
  userId: all.userId === NONE ? NONE : OTHER,
  labels: all.labels === NONE ? NONE : OTHER,
  fingerprint: all.fingerprint === NONE ? NONE : OTHER,
});

const outcomeOnly = (all: CellDimensions): CellDimensions => ({
  ...all,
  agentName: OTHER,
  agentVersion: NO_VERSION,
  modelProvider: OTHER,
  modelId: OTHER,
});

const textOf = (all: object): string => JSON.stringify(Object.values(all));

const keyOf = (text: string): string =>
  createHash("sha256").update(text).digest("base64url").slice(0, KEY_LENGTH);
