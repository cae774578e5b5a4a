import type { RunStore, StoredEvent } from "@tracon/core";

/** Events of one run read at once to be folded. */
const EVENTS_AT_ONCE = 2_000;

/** The journal of a run as it stands, in pages. */
export async function* storedEvents(
  runs: Pick<RunStore, "events">,
  tenantId: string,
  runId: string,
): AsyncGenerator<readonly StoredEvent[], void, undefined> {
  for (let after = -1; ; ) {
    const events = await runs.events(tenantId, runId, { after, take: EVENTS_AT_ONCE });
    yield events;
    if (events.length < EVENTS_AT_ONCE) return;
    after = events.at(-1)?.sequence ?? after;
  }
}
