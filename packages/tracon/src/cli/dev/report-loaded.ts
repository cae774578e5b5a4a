/**
 * Loaded into the server that `tracon dev` starts: tells the parent every file the server loads, as it
 * stands at that moment, and ends with the parent.
 */

import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import { type FileState, stateOf } from "./file-state.ts";

/** A file of the server, as it was when it was loaded. */
export type LoadedFile = { readonly path: string; readonly state: FileState };

registerHooks({
  load(url, context, nextLoad) {
    if (url.startsWith("file:") && !url.includes("/node_modules/")) {
      const path = fileURLToPath(url);
      // Taken before the file is read: a change in between is one the parent will see.
      process.send?.({ path, state: stateOf(path) } satisfies LoadedFile);
    }
    return nextLoad(url, context);
  },
});

process.once("disconnect", () => process.exit());
// To listen for the parent's end is no reason to go on living.
process.channel?.unref();
