/** `npm run docs`: writes the generated pages of `docs/reference`. They are committed. */

import { mkdirSync, writeFileSync } from "node:fs";
import { referencePages } from "./reference/pages.ts";

const root = new URL("../", import.meta.url);

mkdirSync(new URL("docs/reference/", root), { recursive: true });
for (const { path, text } of referencePages) {
  writeFileSync(new URL(path, root), text);
  console.log(path);
}
