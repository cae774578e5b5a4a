import { CircleCheck, CircleX, X } from "lucide-react";
import { useServices } from "../app/services.tsx";
import { useValue } from "../app/value-store.ts";
import { IconButton } from "./button.tsx";
import { classNames } from "./class-names.ts";

/** Notices of things that happened, read out by screen readers without taking the focus. */
export function Toasts() {
  const { toasts: queue } = useServices();
  const toasts = useValue(queue.toasts);
  return (
    <ol
      aria-live="polite"
      aria-label="Notices"
      className="pointer-events-none fixed right-3 bottom-3 z-40 max-md:top-3 max-md:bottom-auto flex w-80 max-w-[calc(100vw-1.5rem)] flex-col gap-2"
    >
      {toasts.map(({ id, tone, text }) => {
        const Icon = tone === "good" ? CircleCheck : CircleX;
        return (
          <li
            key={id}
            className="pointer-events-auto flex animate-arrive items-start gap-2 rounded-md border border-hairline bg-surface py-1.5 pr-1.5 pl-3 shadow-overlay"
          >
            <Icon
              aria-hidden
              className={classNames(
                "mt-1 size-4 shrink-0",
                tone === "good" ? "text-good" : "text-failed",
              )}
            />
            <span className="min-w-0 flex-1 py-0.5">
              {tone === "failed" ? <span className="sr-only">Failed: </span> : null}
              {text}
            </span>
            <IconButton icon={X} label="Close notice" onClick={() => queue.dismiss(id)} />
          </li>
        );
      })}
    </ol>
  );
}
