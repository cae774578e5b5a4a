import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { openPage, type PageFaults, type PageOptions, startBrowser } from "../kit/browser.ts";
import { startCli } from "../kit/cli-process.ts";

const CONFIG = fileURLToPath(new URL("./tracon.config.ts", import.meta.url));

/** Shorter than a test may take, so that a step that waits in vain is named by its own failure. */
const STEP_TIMEOUT_MS = 15_000;

/** The console of a server of its own, in a browser of its own. */
export type ConsoleUnderTest = {
  readonly url: string;
  readonly browser: Browser;
  /** A page of somebody else at a path below the prefix. */
  open(
    path: string,
    options?: PageOptions,
  ): Promise<{ readonly page: Page; readonly faults: PageFaults }>;
  close(): Promise<void>;
};

export async function startConsole(): Promise<ConsoleUnderTest> {
  const server = startCli(["serve", "--config", CONFIG, "--port", "0", "--storage", "memory:"]);
  const [url, browser] = await Promise.all([server.url(), startBrowser()]);
  return {
    url,
    browser,
    async open(path, options = {}) {
      const opened = await openPage(browser, new URL(url).origin, options);
      opened.page.setDefaultTimeout(STEP_TIMEOUT_MS);
      await opened.page.goto(url + path);
      return opened;
    },
    async close() {
      await browser.close();
      server.kill("SIGTERM");
      await server.exited;
    },
  };
}
