import { lazy, Suspense } from "react";

const MarkdownText = lazy(() =>
  import("./markdown-text.tsx").then((module) => ({ default: module.MarkdownText })),
);

/** Markdown that a model wrote; plain text until the parser is loaded. */
export const Markdown = ({ text }: { readonly text: string }) => (
  <Suspense fallback={<div className="whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</div>}>
    <MarkdownText text={text} />
  </Suspense>
);
