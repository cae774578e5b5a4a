/** A process that reserves from random trees and settles, until it is killed in the middle of it. */

import { openStores } from "@tracon/store";
import { seededRandom } from "../kit/random.ts";
import { type BudgetOrder, type BudgetReport, moveOf } from "./budget-trees.ts";

const TREES_AT_ONCE = 200;
/** Trees come by in a window that moves, so that each is spent from several times, and by several processes. */
const WINDOW = 400;
const STEP = 50;
const GENERATION_STEP = 650;
const LARGEST = 120;

type Held = { readonly reservationId: string; readonly tokens: number };

const report = (message: BudgetReport): void => void process.send?.(message);

async function spend({ storage, trees, generation }: BudgetOrder): Promise<never> {
  const { journal } = await openStores(storage);
  const random = seededRandom(generation + 1);
  const held = new Map<number, Held>();

  for (let commits = 1; ; commits++) {
    const wanted = new Map<string, { readonly tree: number; readonly held: Held }>();
    const from = generation * GENERATION_STEP + commits * STEP;
    const chosen = new Set(
      Array.from({ length: TREES_AT_ONCE }, () => (from + random.between(0, WINDOW)) % trees),
    );
    const batch = [...chosen].map((tree) => {
      const before = held.get(tree);
      held.delete(tree);
      const settlements =
        before === undefined
          ? []
          : [before].map(({ reservationId, tokens }) => ({
              reservationId,
              tokens: random.between(0, tokens + 1),
            }));
      const id = `${generation}-${commits}-${tree}`;
      const tokens = random.between(1, LARGEST);
      wanted.set(id, { tree, held: { reservationId: id, tokens } });
      return moveOf(tree, generation, { settlements, reservations: [{ id, tokens }] });
    });
    const { refusals } = await journal.commit(batch);
    for (const { reservationId } of refusals) wanted.delete(reservationId);
    for (const granted of wanted.values()) held.set(granted.tree, granted.held);
    report({ commits });
  }
}

process.once("message", (order: BudgetOrder) => void spend(order));

report({ loaded: true });
