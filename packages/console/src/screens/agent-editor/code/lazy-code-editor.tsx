import { lazy, Suspense } from "react";
import { classNames } from "../../../design/class-names.ts";
import type { CodeEditorProps } from "./code-editor.tsx";

const Loaded = lazy(async () => ({ default: (await import("./code-editor.tsx")).CodeEditor }));

/** The text stands there while the editor, the largest part of this screen, is on its way. */
export const CodeEditor = (props: CodeEditorProps) => (
  <Suspense
    fallback={
      <div
        aria-busy
        className={classNames(
          "whitespace-pre-wrap rounded-md border border-edge bg-surface px-2 py-1.5 [overflow-wrap:anywhere]",
          props.isFull === true ? "min-h-64 flex-1 overflow-hidden" : "max-h-[60dvh] min-h-18",
          props.isFull !== true && "overflow-hidden",
          props.language === "json" && "font-mono text-sm",
        )}
      >
        {props.text}
      </div>
    }
  >
    <Loaded {...props} />
  </Suspense>
);
