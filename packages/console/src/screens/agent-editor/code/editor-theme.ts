/** The editor in the console's colours; `light-dark()` of the tokens makes it one theme for both. */

import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const ink = "var(--color-ink)";
const muted = "var(--color-muted)";
const faint = "var(--color-faint)";
const accent = "var(--color-accent)";
const failed = "var(--color-failed)";
const waiting = "var(--color-waiting)";
const hairline = "1px solid var(--color-hairline)";

const chrome = EditorView.theme({
  "&": { color: ink, flex: "1", minWidth: "0", maxHeight: "inherit" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "inherit", lineHeight: "inherit", overflow: "auto" },
  ".cm-content": { padding: "6px 0", caretColor: ink },
  ".cm-line": { padding: "0 8px" },
  ".cm-placeholder": { color: faint },
  ".cm-specialChar": { color: failed },
  "&.cm-focused .cm-matchingBracket": {
    backgroundColor: "var(--color-accent-soft)",
    outline: `1px solid ${accent}`,
  },
  "&.cm-focused .cm-nonmatchingBracket": { backgroundColor: "transparent", color: ink },
  ".cm-gutters": {
    backgroundColor: "var(--color-raised)",
    color: faint,
    borderRight: hairline,
    fontVariantNumeric: "tabular-nums",
  },
  ".cm-gutter-lint": { width: "16px" },
  ".cm-gutter-lint .cm-gutterElement": { padding: "5px 2px 0 6px" },
  ".cm-lint-marker": { width: "8px", height: "8px", content: "none" },
  ".cm-lint-marker-error": { backgroundColor: failed, borderRadius: "50%" },
  ".cm-lint-marker-warning": {
    backgroundColor: waiting,
    clipPath: "polygon(50% 0, 100% 100%, 0 100%)",
  },
  ".cm-lintRange": { backgroundImage: "none", paddingBottom: "0" },
  ".cm-lintRange-error": { textDecoration: `underline wavy ${failed}` },
  ".cm-lintRange-warning": { textDecoration: `underline wavy ${waiting}` },
  ".cm-tooltip": {
    color: ink,
    backgroundColor: "var(--color-surface)",
    border: hairline,
    borderRadius: "6px",
    boxShadow: "var(--shadow-overlay)",
    overflow: "hidden",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--font-mono)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "2px 8px" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    color: ink,
    backgroundColor: "var(--color-accent-soft)",
  },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "600" },
  ".cm-diagnostic": { padding: "4px 8px", fontFamily: "var(--font-sans)", maxWidth: "60ch" },
  ".cm-diagnostic-error": { borderLeftColor: failed },
  ".cm-diagnostic-warning": { borderLeftColor: waiting },
  ".cm-placeholder-declared": {
    color: accent,
    backgroundColor: "var(--color-accent-soft)",
    borderRadius: "4px",
  },
  ".cm-placeholder-unknown": { color: muted, textDecoration: "underline dashed" },
});

const syntax = HighlightStyle.define([
  { tag: tags.propertyName, color: accent },
  { tag: [tags.number, tags.bool, tags.null], fontWeight: "600" },
  { tag: [tags.separator, tags.squareBracket, tags.brace], color: muted },
  { tag: tags.heading, fontWeight: "600" },
  { tag: tags.strong, fontWeight: "600" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.monospace, fontFamily: "var(--font-mono)", fontSize: "0.95em" },
  { tag: [tags.link, tags.url], color: accent },
  { tag: tags.quote, color: muted },
  { tag: [tags.processingInstruction, tags.contentSeparator, tags.labelName], color: faint },
]);

export const editorTheme: Extension = [chrome, syntaxHighlighting(syntax)];

/** Grows with its text from a few lines on; prose is asked for more than a value is. */
export const proseHeight = EditorView.theme({ ".cm-content": { minHeight: "4.5rem" } });
export const fullHeight = EditorView.theme({ "&": { height: "100%" } });
