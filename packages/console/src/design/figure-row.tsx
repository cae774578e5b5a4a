import type { Fact } from "./facts.tsx";

/** Names and values beside each other, wrapping. A figure without a value is left out. */
export const FigureRow = ({ figures }: { readonly figures: readonly Fact[] }) => (
  <dl className="flex shrink-0 flex-wrap gap-x-6 gap-y-1 px-4 py-2">
    {figures
      .filter(([, value]) => value !== undefined && value !== null && value !== "")
      .map(([name, value]) => (
        <div key={name} className="flex min-w-0 items-baseline gap-1.5">
          <dt className="shrink-0 text-muted text-sm">{name}</dt>
          <dd className="min-w-0 tabular-nums [overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
  </dl>
);
