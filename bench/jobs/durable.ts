/** `durable.ts SUBJECT STORE`: one run alone, 32 at a time. */

import { finish, setting } from "../job.ts";
import { latencyOf, rateOf } from "../measure.ts";
import { openSubject } from "../subjects/open-subject.ts";

const [name = "", store = ""] = process.argv.slice(2);
const subject = await openSubject(name, store);
const { budgetMs } = setting;

finish({
  alone: await latencyOf(subject.run, budgetMs),
  crowd: await rateOf(subject.run, 32, budgetMs),
});
