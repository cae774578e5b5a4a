import { Inbox, Lock, type LucideIcon, RotateCcw, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { failureOf } from "../app/remedy.ts";
import { useServices } from "../app/services.tsx";
import { Button } from "./button.tsx";
import { CodeBlock } from "./code-block.tsx";

/** Nothing to show yet: what this is, what to do next, an example that works. */
export const Empty = (props: {
  readonly title: string;
  readonly text: string;
  readonly example?: { readonly label: string; readonly text: string };
  readonly actions?: ReactNode;
}) => (
  <Stage icon={Inbox} title={props.title} actions={props.actions}>
    <p className="text-muted">{props.text}</p>
    {props.example === undefined ? null : (
      <div className="w-full text-left">
        <CodeBlock label={props.example.label} text={props.example.text} />
      </div>
    )}
  </Stage>
);

/** A request that did not go through: what happened in the server's words, and what to do. */
export function FailureView(props: { readonly error: unknown; readonly onRetry: () => void }) {
  const { desk } = useServices();
  const failure = failureOf(props.error);
  const enterToken = async () => {
    if (await desk.ask()) props.onRetry();
  };
  const actions = (
    <>
      {failure.isDenied ? <Button onClick={enterToken}>Enter token</Button> : null}
      <Button icon={RotateCcw} onClick={props.onRetry}>
        Try again
      </Button>
    </>
  );
  return (
    <div role="alert" className="flex flex-1">
      <Stage icon={failure.isDenied ? Lock : TriangleAlert} title={failure.title} actions={actions}>
        <p>{failure.detail}</p>
        <p className="text-muted">{failure.remedy}</p>
        {failure.traceId === undefined ? null : (
          <p className="font-mono text-faint text-sm [overflow-wrap:anywhere]">
            trace id {failure.traceId}
          </p>
        )}
      </Stage>
    </div>
  );
}

/** Rows that stand for what is being read. */
export const Loading = ({ what, rows = 8 }: { readonly what: string; readonly rows?: number }) => (
  <div role="status" className="flex flex-col gap-4 p-4">
    <span className="sr-only">Loading {what}</span>
    {Array.from({ length: rows }, (_, row) => (
      <span
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
        key={row}
        aria-hidden
        className="h-4 w-full max-w-3xl animate-breathe rounded-sm bg-raised even:max-w-xl"
      />
    ))}
  </div>
);

const Stage = (props: {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly children: ReactNode;
  readonly actions?: ReactNode;
}) => (
  <div className="m-auto flex w-full max-w-lg flex-col items-center gap-3 p-6 text-center">
    <props.icon aria-hidden className="size-6 text-faint" />
    <h2 className="font-semibold text-lg">{props.title}</h2>
    {props.children}
    <div className="flex flex-wrap justify-center gap-2">{props.actions}</div>
  </div>
);
