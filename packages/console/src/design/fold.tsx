import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";

/** A part that opens on demand. */
export const Fold = (props: {
  readonly summary: ReactNode;
  readonly children: ReactNode;
  readonly isOpen?: boolean;
}) => (
  <details open={props.isOpen} className="group/fold rounded-md border border-hairline bg-surface">
    <summary className="flex min-h-8 items-center gap-1.5 px-2 [&::-webkit-details-marker]:hidden">
      <ChevronRight
        aria-hidden
        className="size-3.5 shrink-0 text-faint motion-safe:transition-transform motion-safe:duration-100 group-open/fold:rotate-90"
      />
      {props.summary}
    </summary>
    <div className="flex flex-col gap-2 border-hairline border-t p-2">{props.children}</div>
  </details>
);
