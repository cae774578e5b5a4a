import type { TreeBudget } from "@tracon/core";
import { Section } from "../../design/facts.tsx";
import { formatCount } from "../../design/format.ts";
import { Meter } from "../../design/meter.tsx";
import { budgetRows } from "./budget-rows.ts";

/** What the run and everything below it may spend, and what of it is spent. */
export const RunBudget = ({ budget }: { readonly budget: TreeBudget }) => (
  <Section title="Budget of the run and its children">
    <dl className="grid grid-cols-[minmax(7rem,max-content)_1fr] items-center gap-x-4 gap-y-1.5">
      {budgetRows(budget).map(({ name, used, reserved, max, text }) => (
        <div key={name} className="col-span-2 grid grid-cols-subgrid">
          <dt className="text-muted">{name}</dt>
          <dd className="flex flex-col gap-1 tabular-nums">
            {text}
            {max === undefined ? null : <Meter used={used} reserved={reserved} max={max} />}
          </dd>
        </div>
      ))}
    </dl>
    {budget.estimatedTokens > 0 ? (
      <p className="text-muted">
        {formatCount(budget.estimatedTokens)} of the tokens are estimated: no provider measured
        them.
      </p>
    ) : null}
  </Section>
);
