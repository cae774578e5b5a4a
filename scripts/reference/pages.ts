import manifest from "../../package.json" with { type: "json" };
import { statusByCode } from "../../packages/server/src/status.ts";
import { cliPage } from "./cli.ts";
import { errorsPage } from "./errors.ts";
import { eventsPage } from "./events.ts";
import { findingsPage } from "./findings.ts";
import { httpPage } from "./http.ts";

/** A generated page, by its path in the repository. */
export type Page = { readonly path: string; readonly text: string };

/** Every generated page of `docs/reference`. */
export const referencePages: readonly Page[] = [
  { path: "docs/reference/cli.md", text: cliPage() },
  { path: "docs/reference/errors.md", text: errorsPage(statusByCode) },
  { path: "docs/reference/events.md", text: eventsPage() },
  { path: "docs/reference/findings.md", text: findingsPage() },
  { path: "docs/reference/http.md", text: httpPage(manifest.version) },
];
