/** The budget of a run's tree as rows: what is spent, what is set aside, and the limit. */

import type { TreeBudget } from "@tracon/core";
import { formatCount, formatMoney } from "../../design/format.ts";

export type BudgetRow = {
  readonly name: string;
  readonly used: number;
  readonly reserved: number;
  /** Absent where nothing limits. */
  readonly max: number | undefined;
  readonly text: string;
};

export function budgetRows(budget: TreeBudget): readonly BudgetRow[] {
  const money = (amount: number) => formatMoney(amount, budget.currency);
  const rows = [
    row("Tokens", [budget.usedTokens, budget.reservedTokens, budget.maxTokens], formatCount),
    row("Cost", [budget.usedCost, budget.reservedCost, budget.maxCost], money),
    row("Child runs", [budget.childRuns, 0, budget.maxChildRuns], formatCount),
    row("Tool calls", [budget.toolCalls, 0, budget.maxToolCalls], formatCount),
  ];
  // What is neither limited nor spent says nothing; tool calls are only counted under a limit.
  return rows.filter(({ max, used, reserved }) => max !== undefined || used > 0 || reserved > 0);
}

function row(
  name: string,
  [used, reserved, max]: readonly [number, number, number | undefined],
  format: (value: number) => string,
): BudgetRow {
  const limit = max === undefined ? ", no limit" : ` of ${format(max)}`;
  const aside = reserved > 0 ? `, ${format(reserved)} set aside` : "";
  return { name, used, reserved, max, text: `${format(used)}${limit}${aside}` };
}
