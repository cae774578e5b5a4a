/** Debian's Chromium, headless, as a person's browser. */

import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";

const EXECUTABLE = process.env.CHROMIUM_BIN || "/usr/bin/chromium";
const SCREENSHOTS = fileURLToPath(new URL("../console/screenshots/", import.meta.url));

/** Its own traffic (updates, sync, field trials) is off: a test's network holds the test's requests. */
const QUIET = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export const startBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: EXECUTABLE, headless: true, args: QUIET });

/** What went wrong in a page without a test having asked for it. */
export type PageFaults = {
  /** Errors of the page's scripts and refusals of its security policy. */
  readonly errors: readonly string[];
  /** Requests that left the server's origin. */
  readonly foreign: readonly string[];
};

export type PageOptions = {
  readonly width?: number;
  readonly scheme?: "light" | "dark";
};

/** A page that keeps account of what went wrong in it. */
export async function openPage(
  browser: Browser,
  origin: string,
  { width = 1_280, scheme = "light" }: PageOptions = {},
): Promise<{ readonly page: Page; readonly faults: PageFaults }> {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: scheme,
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  const errors: string[] = [];
  const foreign: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && url.protocol.startsWith("http")) foreign.push(request.url());
  });
  return { page, faults: { errors, foreign } };
}

/** Keeps a picture for people to look at. */
export async function takeScreenshot(page: Page, name: string): Promise<void> {
  await mkdir(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: `${SCREENSHOTS}${name}.png` });
}
