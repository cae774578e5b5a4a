import type { ReactNode } from "react";

/** A number one looks for, large, with what it counts above it and where it comes from below. */
export const Figure = (props: {
  readonly name: string;
  readonly children: ReactNode;
  readonly note?: ReactNode;
}) => (
  <div className="flex min-w-24 flex-col">
    <dt className="text-muted text-sm">{props.name}</dt>
    <dd className="font-semibold text-xl tabular-nums">{props.children}</dd>
    {props.note === undefined ? null : <dd className="text-faint text-sm">{props.note}</dd>}
  </div>
);

/** Beside each other, or under each other where they stand beside what they are made of. */
export const Figures = ({ children }: { readonly children: ReactNode }) => (
  <dl className="flex flex-wrap content-start gap-x-6 gap-y-3 lg:flex-col">{children}</dl>
);

/** The look of a figure that leads to what it counts. */
export const FIGURE_LINK =
  "underline decoration-edge/60 decoration-1 underline-offset-4 hover:text-accent hover:decoration-accent";
