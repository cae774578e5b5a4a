/**
 * The trace of a tree of runs, from the journals of all of them: the root owns it, and what a run called
 * stands below the span that called it. What was begun first is read first, so that of a tree too large
 * to be shown the later part is left out.
 */

import {
  type RunRecord,
  type RunTrace,
  type StoredEvent,
  type TraceSpan,
  TraconError,
} from "@tracon/core";
import { spanIdOf, TraceFold } from "./trace-fold.ts";

/** Spans of one answer: a run of forty rounds has some hundreds. */
const MAX_SPANS = 2_000;

/** Reads the journal of a run in pages. */
type ReadJournal = (runId: string) => AsyncIterable<readonly StoredEvent[]>;

/** Throws `run_trace_not_found` for a run that is not the root of its tree. */
export function refuseTraceOfChild({ rootRunId }: RunRecord): void {
  if (rootRunId === undefined) return;
  const message = `the run's spans are in the trace of the root of its tree, run '${rootRunId}'`;
  throw new TraconError("run_trace_not_found", message, { extensions: { rootRunId } });
}

/** `tree` begins with the root. */
export async function traceOfTree(
  tenantId: string,
  tree: readonly [RunRecord, ...RunRecord[]],
  read: ReadJournal,
): Promise<RunTrace> {
  const spans = new TreeSpans(tenantId);
  let traceId: string | undefined;
  for (const record of tree) {
    const fold = spans.begin(record);
    for await (const events of read(record.id)) fold.add(events);
    spans.add(fold);
    traceId ??= fold.traceId;
  }
  const [{ id, startedAt, completedAt }] = tree;
  return {
    id,
    traceId: traceId ?? "",
    runId: id,
    tenantId,
    startedAt,
    ...(completedAt === undefined ? {} : { endedAt: completedAt }),
    ...spans.all(),
  };
}

class TreeSpans {
  readonly #tenantId: string;
  /** In the order of the runs. A run's own span takes the place of what its caller saw of it. */
  readonly #spans = new Map<string, TraceSpan>();
  /** The span of each run. */
  readonly #runs = new Map<string, string>();
  #omitted = 0;

  constructor(tenantId: string) {
    this.#tenantId = tenantId;
  }

  begin(record: RunRecord): TraceFold {
    const seen = this.#spans.get(calledId(record));
    const span = seen ?? this.#unseen(record);
    this.#runs.set(record.id, span.id);
    const room = MAX_SPANS - this.#spans.size - (seen === undefined ? 1 : 0);
    return new TraceFold(this.#tenantId, record, { span, room });
  }

  add(fold: TraceFold): void {
    const own = fold.runSpan();
    if (this.#spans.has(own.id) || this.#spans.size < MAX_SPANS) this.#spans.set(own.id, own);
    for (const span of fold.spans) this.#spans.set(span.id, span);
    this.#omitted += fold.omitted;
  }

  all(): Pick<RunTrace, "spans" | "omittedSpans"> {
    const [root, ...others] = this.#spans.values();
    const ordered = others.sort(byStart);
    return {
      spans: root === undefined ? ordered : [root, ...ordered],
      ...(this.#omitted === 0 ? {} : { omittedSpans: this.#omitted }),
    };
  }

  /** The root; or a run whose caller recorded nothing of it. */
  #unseen({ id, parentRunId, rootRunId }: RunRecord): Pick<TraceSpan, "id" | "parentId"> {
    const parentId = this.#runs.get(parentRunId ?? "") ?? this.#runs.get(rootRunId ?? "");
    return { id: spanIdOf(id, "run"), ...(parentId === undefined ? {} : { parentId }) };
  }
}

/** The span that the caller of a run has of it. */
const calledId = ({ id, parentRunId }: RunRecord): string =>
  parentRunId === undefined ? "" : spanIdOf(parentRunId, `child/${id}`);

const byStart = (a: TraceSpan, b: TraceSpan): number =>
  a.startedAt < b.startedAt ? -1 : a.startedAt > b.startedAt ? 1 : 0;
