import { defineLanguageFacet, Language } from "@codemirror/language";
import { parser } from "@lezer/markdown";

/** CommonMark, without the HTML, CSS and JavaScript parsers the ready-made package brings with it. */
export const markdownLanguage = new Language(defineLanguageFacet(), parser, [], "markdown");
