import { type Ref, useEffect, useImperativeHandle, useLayoutEffect, useRef } from "react";
import { classNames } from "../../../design/class-names.ts";
import type { TextRange } from "../locate-path.ts";
import { type EditorKind, TextEditor, type TextMark } from "./text-editor.ts";

export type CodeEditorHandle = {
  /** Selects a part of the text and brings it into view. */
  readonly reveal: (range: TextRange) => void;
};

export type CodeEditorProps = EditorKind & {
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** Name, description and state of the text box. */
  readonly attributes: Readonly<Record<string, string | boolean | undefined>>;
  readonly parameters?: readonly string[];
  readonly marks?: readonly TextMark[];
  readonly ref?: Ref<CodeEditorHandle>;
};

const NONE: readonly never[] = [];

/** A text box that knows the language of its text. What kind it is stays for its life. */
export function CodeEditor(props: CodeEditorProps) {
  const { text, marks = NONE, parameters = NONE } = props;
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<TextEditor>(null);
  const latest = useRef(props);
  useLayoutEffect(() => {
    latest.current = props;
  });
  useLayoutEffect(() => {
    const { language, isFull, placeholder, ...first } = latest.current;
    if (host.current === null) return;
    const made = new TextEditor({
      parent: host.current,
      text: first.text,
      kind: { language, isFull, placeholder },
      settings: { attributes: written(first.attributes), parameters: first.parameters ?? NONE },
      onChange: (changed) => latest.current.onChange(changed),
    });
    editor.current = made;
    return () => {
      editor.current = null;
      made.destroy();
    };
  }, []);

  // Before anything else can be typed: what arrives later would be taken for a change from outside.
  useLayoutEffect(() => editor.current?.replace(text), [text]);
  useSame({ attributes: written(props.attributes), parameters }, (settings) =>
    editor.current?.set(settings),
  );
  useSame(marks, (it) => editor.current?.mark(it));
  useImperativeHandle(props.ref, () => ({
    reveal: (range) => editor.current?.reveal(range),
  }));

  return (
    <div
      ref={host}
      className={classNames(
        "flex rounded-md border border-edge bg-surface focus-within:outline-2 focus-within:outline-accent",
        props.isFull === true ? "min-h-64 flex-1 overflow-hidden" : "max-h-[60dvh]",
        props.language === "json" && "font-mono text-sm",
      )}
    />
  );
}

/** Calls `apply` when a value is another one than before, whatever it is made of. */
function useSame<Value>(value: Value, apply: (value: Value) => void): void {
  const key = JSON.stringify(value);
  const latest = useRef({ value, apply });
  useLayoutEffect(() => {
    latest.current = { value, apply };
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the value
  useEffect(() => latest.current.apply(latest.current.value), [key]);
}

/** An attribute without a value is not written. */
const written = (attributes: CodeEditorProps["attributes"]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  );
