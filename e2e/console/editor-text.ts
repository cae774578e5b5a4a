import type { Locator } from "playwright-core";

/** CodeMirror's own way from an element to its editor; only part of a long text is in the page. */
type EditorElement = {
  readonly cmTile: {
    readonly root: { readonly view: { readonly state: { readonly doc: object } } };
  };
};

/** What stands in a text box of the code editor, which is no element of a form. */
export const editorText = (box: Locator): Promise<string> =>
  box.evaluate((element) =>
    String((element as unknown as EditorElement).cmTile.root.view.state.doc),
  );
