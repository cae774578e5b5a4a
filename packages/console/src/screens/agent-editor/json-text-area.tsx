import { type Ref, useImperativeHandle, useRef } from "react";
import { classNames } from "../../design/class-names.ts";
import { lineAt, type TextRange } from "./locate-path.ts";

export type JsonTextAreaHandle = {
  /** Selects a part of the text and brings it into view. */
  readonly reveal: (range: TextRange) => void;
};

const LINE_HEIGHT_PX = 18;
/** Lines kept above a revealed one. */
const LINES_ABOVE = 3;

/** JSON as text with line numbers; lines with findings are marked. */
export function JsonTextArea(props: {
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly markedLines: ReadonlySet<number>;
  readonly label: string;
  readonly ref: Ref<JsonTextAreaHandle>;
}) {
  const area = useRef<HTMLTextAreaElement>(null);
  const gutter = useRef<HTMLDivElement>(null);
  useImperativeHandle(props.ref, () => ({
    reveal({ start, end }) {
      const element = area.current;
      if (element === null) return;
      element.focus();
      element.setSelectionRange(start, end);
      const line = lineAt(element.value, start);
      element.scrollTop = Math.max(0, (line - LINES_ABOVE) * LINE_HEIGHT_PX);
    },
  }));

  const lineCount = props.text.split("\n").length;
  return (
    <div className="flex min-h-64 flex-1 overflow-hidden rounded-md border border-edge bg-surface font-mono text-sm focus-within:outline-2 focus-within:outline-accent">
      <div
        ref={gutter}
        aria-hidden
        className="w-10 shrink-0 select-none overflow-hidden border-hairline border-r bg-raised py-2 pr-1.5 text-right text-muted"
      >
        {Array.from({ length: lineCount }, (_, index) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: the index is the line
            key={index}
            className={classNames(
              "h-[18px] leading-[18px] tabular-nums",
              props.markedLines.has(index + 1) && "font-bold text-failed",
            )}
          >
            {props.markedLines.has(index + 1) ? "● " : ""}
            {index + 1}
          </div>
        ))}
      </div>
      <textarea
        ref={area}
        aria-label={props.label}
        wrap="off"
        spellCheck={false}
        autoCapitalize="off"
        value={props.text}
        onChange={(event) => props.onChange(event.target.value)}
        onScroll={(event) => {
          if (gutter.current !== null) gutter.current.scrollTop = event.currentTarget.scrollTop;
        }}
        className="flex-1 resize-none whitespace-pre bg-transparent px-2 py-2 leading-[18px] outline-none"
      />
    </div>
  );
}
