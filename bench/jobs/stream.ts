/** `stream.ts SUBJECT STORE`: one tool call, then 1, 100, 1,000 and 10,000 deltas. */

import { deltasOf } from "../fixture.ts";
import { finish, setting } from "../job.ts";
import { type Latency, latencyOf } from "../measure.ts";
import { openSubject } from "../subjects/open-subject.ts";

const [name = "", store = ""] = process.argv.slice(2);
const subject = await openSubject(name, store);

const measured: Record<string, Latency> = {};
for (const count of [1, 100, 1_000, 10_000]) {
  subject.script.deltas = deltasOf(count);
  measured[`deltas${count}`] = await latencyOf(subject.stream, setting.budgetMs);
}

finish(measured);
