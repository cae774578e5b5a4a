import { X } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { IconButton } from "./button.tsx";
import { classNames } from "./class-names.ts";

/**
 * A modal dialog on the platform's own element: it keeps the focus inside, closes with Esc, gives
 * the focus back, and injects no style element, which the content security policy would refuse.
 */
export function Dialog(props: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons at the end; the last one is the primary. */
  readonly actions?: ReactNode;
  readonly isWide?: boolean;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const element = dialog.current;
    const opener = document.activeElement;
    element?.showModal();
    // The platform would focus the first control, which is the one that closes.
    element?.querySelector<HTMLElement>("[data-autofocus], footer button")?.focus();
    return () => {
      element?.close();
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);

  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        props.onClose();
      }}
      className={classNames(
        "m-auto max-h-[85dvh] w-[calc(100vw-2rem)] flex-col overflow-hidden rounded-md border border-hairline bg-surface text-ink shadow-overlay open:flex",
        props.isWide ? "max-w-5xl" : "max-w-md",
      )}
    >
      <header className="flex items-center justify-between border-hairline border-b py-1.5 pr-2 pl-4">
        <h2 id={titleId} className="font-semibold">
          {props.title}
        </h2>
        <IconButton icon={X} label="Close" onClick={props.onClose} />
      </header>
      <div className="overflow-auto p-4">{props.children}</div>
      {props.actions === undefined ? null : (
        <footer className="flex flex-wrap justify-end gap-2 border-hairline border-t px-4 py-2">
          {props.actions}
        </footer>
      )}
    </dialog>
  );
}
