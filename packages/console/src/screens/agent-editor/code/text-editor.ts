/** CodeMirror as the editor uses it: markdown or JSON, in the console's colours and without a style element. */

import { history, historyKeymap, insertNewline, standardKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching } from "@codemirror/language";
import { type Diagnostic, lintGutter, nextDiagnostic, setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorSelection, EditorState, type Extension } from "@codemirror/state";
import {
  EditorView,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  placeholder,
} from "@codemirror/view";
import type { TextRange } from "../locate-path.ts";
import { adoptEditorStyles } from "./adopt-editor-styles.ts";
import { editorTheme, fullHeight, proseHeight } from "./editor-theme.ts";
import { type LineEnds, lineEndsOf, withPlainLineEnds } from "./line-ends.ts";
import { markdownLanguage } from "./markdown-language.ts";
import { placeholders } from "./placeholders.ts";

/** A part of the text that something is said about. */
export type TextMark = TextRange & {
  readonly severity: "error" | "warning";
  readonly message: string;
};

export type EditorKind = {
  readonly language: "markdown" | "json";
  /** Fills what is around it and counts its lines, instead of growing with its text. */
  readonly isFull?: boolean | undefined;
  readonly placeholder?: string | undefined;
};

/** What may change while text is being written. */
export type EditorSettings = {
  /** Attributes of the element that is written into. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Names of the parameters that placeholders can stand for. */
  readonly parameters: readonly string[];
};

/** One text being edited. Line ends that are not edited stay what they are. */
export class TextEditor {
  readonly #view: EditorView;
  readonly #kind: EditorKind;
  readonly #changing = new Compartment();
  readonly #onChange: (text: string) => void;
  #settings: EditorSettings;
  #lineEnds: LineEnds;
  #marks: readonly TextMark[] = [];

  constructor(options: {
    readonly parent: HTMLElement;
    readonly text: string;
    readonly kind: EditorKind;
    readonly settings: EditorSettings;
    readonly onChange: (text: string) => void;
  }) {
    this.#kind = options.kind;
    this.#settings = options.settings;
    this.#onChange = options.onChange;
    this.#lineEnds = lineEndsOf(options.text);
    adoptEditorStyles(options.parent.ownerDocument);
    this.#view = new EditorView({ parent: options.parent, state: this.#stateOf(options.text) });
  }

  text(): string {
    const { doc } = this.#view.state;
    return doc.sliceString(0, doc.length, this.#lineEnds.written);
  }

  /** Puts another text in the place of this one; what was undone before cannot be undone any more. */
  replace(text: string): void {
    if (text === this.text()) return;
    this.#lineEnds = lineEndsOf(text);
    this.#view.setState(this.#stateOf(text));
    this.mark(this.#marks);
  }

  set(settings: EditorSettings): void {
    this.#settings = settings;
    this.#view.dispatch({ effects: this.#changing.reconfigure(changing(settings, this.#kind)) });
  }

  mark(marks: readonly TextMark[]): void {
    this.#marks = marks;
    const { state } = this.#view;
    const diagnostics = marks.map(
      ({ start, end, severity, message }): Diagnostic => ({
        from: Math.min(start, state.doc.length),
        to: Math.min(end, state.doc.length),
        severity,
        message,
      }),
    );
    this.#view.dispatch(setDiagnostics(state, diagnostics));
  }

  /** Selects a part of the text, brings it into view and takes the focus. */
  reveal({ start, end }: TextRange): void {
    const { length } = this.#view.state.doc;
    const range = EditorSelection.range(Math.min(start, length), Math.min(end, length));
    this.#view.dispatch({
      selection: range,
      effects: EditorView.scrollIntoView(range, { y: "center" }),
    });
    this.#view.focus();
  }

  destroy(): void {
    this.#view.destroy();
  }

  #stateOf(text: string): EditorState {
    const { separator } = this.#lineEnds;
    return EditorState.create({
      doc: text,
      extensions: [
        separator === undefined ? [] : EditorState.lineSeparator.of(separator),
        this.#changing.of(changing(this.#settings, this.#kind)),
        always(this.#kind),
        EditorView.updateListener.of(({ docChanged }) => {
          if (docChanged) this.#onChange(this.text());
        }),
      ],
    });
  }
}

const changing = (
  { attributes, parameters }: EditorSettings,
  { language }: EditorKind,
): Extension => [
  // It takes the focus anyway; whoever looks for what does goes by the attribute.
  EditorView.contentAttributes.of({ tabindex: "0", ...attributes }),
  language === "markdown" ? placeholders(parameters) : [],
];

/** No key is taken from the form around it: Tab leaves the field, and Ctrl and Enter save. */
const always = (kind: EditorKind): Extension => [
  kind.language === "json"
    ? [json(), bracketMatching()]
    : [
        markdownLanguage,
        proseHeight,
        // Prose gets the line end that was typed and nothing else.
        keymap.of([{ key: "Enter", run: insertNewline }]),
        EditorView.contentAttributes.of({ spellcheck: "true" }),
      ],
  kind.isFull === true ? [lintGutter(), lineNumbers(), fullHeight] : EditorView.lineWrapping,
  kind.placeholder === undefined ? [] : placeholder(kind.placeholder),
  history(),
  highlightSpecialChars(),
  keymap.of([...standardKeymap, ...historyKeymap, { key: "F8", run: nextDiagnostic }]),
  EditorView.clipboardInputFilter.of(withPlainLineEnds),
  EditorView.domEventHandlers({ beforeinput: typeOverSelection }),
  editorTheme,
];

/** A browser that types over styled text writes style attributes, which the page's policy refuses. */
function typeOverSelection({ inputType, data }: InputEvent, view: EditorView): boolean {
  const selection = view.contentDOM.ownerDocument.getSelection();
  if (inputType !== "insertText" || data === null || view.composing) return false;
  if (selection === null || selection.rangeCount === 0 || selection.isCollapsed) return false;

  const range = selection.getRangeAt(0);
  const from = view.posAtDOM(range.startContainer, range.startOffset);
  const insert = view.state.toText(data);
  view.dispatch({
    changes: { from, to: view.posAtDOM(range.endContainer, range.endOffset), insert },
    selection: { anchor: from + insert.length },
    userEvent: "input.type",
    scrollIntoView: true,
  });
  return true;
}
