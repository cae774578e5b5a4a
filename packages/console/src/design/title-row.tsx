import { type ReactNode, useEffect } from "react";

/** The head of a screen: what it shows, its state, what can be done. Also names the document. */
export function TitleRow(props: {
  readonly title: string;
  /** Beside the title: a status, a version, an id. */
  readonly state?: ReactNode;
  /** The last one is the primary. */
  readonly actions?: ReactNode;
}) {
  useEffect(() => {
    document.title = `${props.title} · Tracon`;
  }, [props.title]);
  return (
    <header className="sticky top-0 z-10 flex min-h-11 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-hairline border-b bg-canvas px-4 py-1.5">
      <h1 className="truncate font-semibold text-lg">{props.title}</h1>
      {props.state}
      <div className="ml-auto flex items-center gap-2">{props.actions}</div>
    </header>
  );
}
