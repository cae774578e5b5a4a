import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds in a page. It is evaluated outside the page's policy, as a browser extension is. */
export async function axeViolations(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const axe = Reflect.get(globalThis, "axe") as {
      run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
    };
    const { violations } = await axe.run();
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`,
    );
  });
}
