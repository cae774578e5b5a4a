/** `{{parameter}}` in instructions: which ones a run replaces, and what can be completed. */

import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import type { Extension } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";

const PLACEHOLDER = /\{\{([^{}\n]+)\}\}/g;
/** An opened placeholder, as far as it is written. */
const OPENED = /\{\{[^{}\n]*$/;

const declared = Decoration.mark({ class: "cm-placeholder-declared" });
const unknown = Decoration.mark({ class: "cm-placeholder-unknown" });

/** Highlights placeholders and completes them with the names of the declared parameters. */
export const placeholders = (names: readonly string[]): Extension => [
  highlight(new Set(names)),
  autocompletion({
    override: [(context) => completePlaceholder(context, names)],
    icons: false,
  }),
];

function highlight(names: ReadonlySet<string>): Extension {
  const matcher = new MatchDecorator({
    regexp: PLACEHOLDER,
    decoration: ([, name = ""]) => (names.has(name) ? declared : unknown),
  });
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(view: EditorView) {
        this.decorations = matcher.createDeco(view);
      }
      update(update: ViewUpdate) {
        this.decorations = matcher.updateDeco(update, this.decorations);
      }
    },
    { decorations: ({ decorations }) => decorations },
  );
}

/** The declared parameters at an opened placeholder; asked for by hand, anywhere. */
export function completePlaceholder(
  context: CompletionContext,
  names: readonly string[],
): CompletionResult | null {
  const opened = context.matchBefore(OPENED);
  if (names.length === 0 || (opened === null && !context.explicit)) return null;
  const from = opened?.from ?? context.pos;
  const options = names.map((name) => ({ label: `{{${name}}}` }));
  const isClosed = context.state.sliceDoc(context.pos, context.pos + 2) === "}}";
  return opened !== null && isClosed
    ? { from, to: context.pos + 2, options }
    : { from, options, validFor: OPENED };
}
