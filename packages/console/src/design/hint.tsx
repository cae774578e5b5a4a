import { Tooltip } from "radix-ui";
import type { ReactElement } from "react";

const DELAY_MS = 400;

/** A word on what a control does, on hover and focus. The control has its own accessible name. */
export const Hint = (props: {
  readonly text: string;
  readonly side?: "top" | "right" | "bottom" | "left";
  readonly children: ReactElement;
}) => (
  <Tooltip.Provider delayDuration={DELAY_MS} disableHoverableContent>
    <Tooltip.Root>
      <Tooltip.Trigger asChild>{props.children}</Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content
          side={props.side ?? "bottom"}
          sideOffset={4}
          className="z-50 max-w-80 rounded-md border border-hairline bg-surface px-2 py-1 text-sm text-ink shadow-overlay"
        >
          {props.text}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  </Tooltip.Provider>
);
