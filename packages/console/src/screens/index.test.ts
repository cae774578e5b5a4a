import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { screens } from "./index.ts";

const folders = readdirSync(new URL(".", import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

it.each(folders)("lists the screens of %s", async (folder) => {
  const routes = Object.entries((await import(`./${folder}/${folder}-route.ts`)) as object)
    .filter(([name]) => name.endsWith("Route"))
    .map(([, route]: [string, unknown]) => route);

  expect(routes.length).toBeGreaterThan(0);
  for (const route of routes) expect(screens).toContain(route);
});

it("gives every screen that draws something a title", () => {
  const untitled = screens
    .map(({ options }) => options)
    .filter((options) => "component" in options && options.staticData?.title === undefined);

  expect(untitled).toEqual([]);
});
