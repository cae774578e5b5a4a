/** `tool-calls.ts SUBJECT STORE`: one run that makes 1, 10 and 100 tool calls, one after the other. */

import { finish, setting } from "../job.ts";
import { type Latency, latencyOf } from "../measure.ts";
import { openSubject } from "../subjects/open-subject.ts";

const [name = "", store = ""] = process.argv.slice(2);
const subject = await openSubject(name, store);

const measured: Record<string, Latency> = {};
for (const count of [1, 10, 100]) {
  subject.script.toolCalls = count;
  measured[`calls${count}`] = await latencyOf(subject.run, setting.budgetMs);
}

finish(measured);
