import { Tabs as Parts } from "radix-ui";
import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

type Tab<Value extends string> = {
  readonly value: Value;
  readonly label: string;
  /** Its content stands beside the others where the screen is wide. */
  readonly isNarrowOnly?: boolean;
  readonly content: () => ReactNode;
};

/** Views of one thing, of which one is shown. The shown one is the caller's, usually the address's. */
export const Tabs = <const Value extends string>(props: {
  readonly label: string;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly tabs: readonly Tab<Value>[];
}) => (
  <Parts.Root
    value={props.value}
    onValueChange={(value) => props.onChange(value as Value)}
    className="flex min-h-0 min-w-0 flex-1 flex-col"
  >
    <Parts.List
      aria-label={props.label}
      className="flex shrink-0 gap-4 border-hairline border-b px-4"
    >
      {props.tabs.map((tab) => (
        <Parts.Trigger
          key={tab.value}
          value={tab.value}
          className={classNames(
            "-mb-px h-8 border-transparent border-b-2 text-muted hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink",
            tab.isNarrowOnly === true && tab.value !== props.value && "xl:hidden",
          )}
        >
          {tab.label}
        </Parts.Trigger>
      ))}
    </Parts.List>
    {props.tabs.map((tab) => (
      <Parts.Content
        key={tab.value}
        value={tab.value}
        // What is only there to be heard is placed within it and does not make the page longer.
        className="relative flex min-h-0 flex-1 flex-col overflow-auto"
      >
        {tab.value === props.value ? tab.content() : null}
      </Parts.Content>
    ))}
  </Parts.Root>
);
