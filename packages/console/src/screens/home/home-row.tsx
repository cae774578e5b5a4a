import { type ReactNode, useId } from "react";

/** One question of the start page: the answer in figures, and what they are made of beside them. */
export function HomeRow(props: {
  readonly title: string;
  readonly figures: ReactNode;
  readonly children: ReactNode;
}) {
  const titleId = useId();
  return (
    <section
      aria-labelledby={titleId}
      className="flex flex-col gap-3 rounded-md border border-hairline bg-surface p-4"
    >
      <h2 id={titleId} className="font-semibold text-lg">
        {props.title}
      </h2>
      <div className="grid gap-x-8 gap-y-4 lg:grid-cols-[9rem_minmax(0,1fr)]">
        {props.figures}
        {props.children}
      </div>
    </section>
  );
}
