/** `tool-calls.ts SUBJECT STORE`: one run that makes 1, 10 and 100 tool calls, one after the other. */

import { finish, setting } from "../job.ts";
import { latenciesOf } from "../measure.ts";
import { openSubject } from "../subjects/open-subject.ts";

const [name = "", store = ""] = process.argv.slice(2);
const subject = await openSubject(name, store);

const works = [1, 10, 100].map((count) => {
  const work = async () => {
    subject.script.toolCalls = count;
    await subject.run();
  };
  return [`calls${count}`, work] as const;
});

finish(await latenciesOf(Object.fromEntries(works), setting.budgetMs));
