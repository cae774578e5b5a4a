import type { ReactNode } from "react";

export type Fact = readonly [name: string, value: ReactNode];

/** Names and values under each other. A fact without a value is left out. */
export const Facts = ({ facts }: { readonly facts: readonly Fact[] }) => (
  <dl className="grid grid-cols-[minmax(7rem,max-content)_1fr] gap-x-4 gap-y-1.5">
    {facts
      .filter(([, value]) => value !== undefined && value !== null && value !== "")
      .map(([name, value]) => (
        <div key={name} className="col-span-2 grid grid-cols-subgrid">
          <dt className="text-muted">{name}</dt>
          <dd className="min-w-0 tabular-nums [overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
  </dl>
);

/** A titled part of a page. */
export const Section = (props: { readonly title: string; readonly children: ReactNode }) => (
  <section className="flex flex-col gap-2">
    <h2 className="font-semibold">{props.title}</h2>
    {props.children}
  </section>
);

/** A short word on a thing that is not a status: an origin, a version, a kind. */
export const Tag = ({ children }: { readonly children: ReactNode }) => (
  <span className="inline-flex h-5 items-center rounded-sm border border-hairline bg-raised px-1.5 text-muted text-sm">
    {children}
  </span>
);
