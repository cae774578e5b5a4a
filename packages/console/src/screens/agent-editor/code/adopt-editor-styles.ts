import { StyleModule } from "style-mod";

/**
 * Lets the editor's styles into a document whose policy refuses `<style>` elements.
 *
 * The library constructs a sheet, which every policy allows, for a shadow root only and writes an
 * element into a document. What it keeps for a shadow root does for a document as well. A nonce, the
 * other way, would make the page's policy a different one for every answer.
 */
export function adoptEditorStyles(document: Document): void {
  const shadow = document.createElement("div").attachShadow({ mode: "open" });
  StyleModule.mount(shadow, []);
  for (const key of Object.getOwnPropertySymbols(shadow)) {
    if (!Object.hasOwn(document, key)) Reflect.set(document, key, Reflect.get(shadow, key));
  }
}
