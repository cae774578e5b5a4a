/** `stream.ts SUBJECT STORE`: one tool call, then 1, 100, 1,000 and 10,000 deltas. */

import { deltasOf } from "../fixture.ts";
import { finish, setting } from "../job.ts";
import { latenciesOf } from "../measure.ts";
import { openSubject } from "../subjects/open-subject.ts";

const [name = "", store = ""] = process.argv.slice(2);
const subject = await openSubject(name, store);

const works = [1, 100, 1_000, 10_000].map((count) => {
  const deltas = deltasOf(count);
  const work = async () => {
    subject.script.deltas = deltas;
    await subject.stream();
  };
  return [`deltas${count}`, work] as const;
});

finish(await latenciesOf(Object.fromEntries(works), setting.budgetMs));
