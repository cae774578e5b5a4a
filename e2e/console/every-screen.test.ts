/** Each screen in both themes, wide and narrow: what axe says of it, and a picture to look at. */

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PageFaults, takeScreenshot } from "../kit/browser.ts";
import { axeViolations } from "./axe.ts";
import { type ConsoleUnderTest, startConsole } from "./console-under-test.ts";
import { ask, expectNoFaults } from "./page-steps.ts";

/** Stand for the ids of what the preparation has made. */
const RUN = "RUN";
const STOPPED = "STOPPED";
const SESSION = "SESSION";

const screens = {
  home: "/",
  runs: "/runs",
  run: `/runs/${RUN}`,
  "run-trace": `/runs/${RUN}?view=trace`,
  "run-stopped": `/runs/${STOPPED}`,
  approvals: "/approvals",
  "approvals-rules": "/approvals?view=rules",
  sessions: "/sessions",
  session: `/sessions/${SESSION}`,
  agents: "/agents",
  agent: "/agents/support",
  "new-agent": "/new-agent",
  playground: "/playground",
  "playground-session": `/playground?agent=support&session=${SESSION}`,
} as const;

const views = [
  { width: 1_440, scheme: "light" },
  { width: 1_440, scheme: "dark" },
  { width: 390, scheme: "light" },
  { width: 390, scheme: "dark" },
] as const;

let tested: ConsoleUnderTest;

beforeAll(async () => {
  tested = await startConsole();
});

afterAll(() => tested?.close());

describe.each(views)("at $width px, $scheme", ({ width, scheme }) => {
  let page: Page;
  let faults: PageFaults;
  let ids: Readonly<Record<string, string>>;

  beforeAll(async () => {
    ({ page, faults } = await tested.open("/playground?agent=support", { width, scheme }));
    ids = await prepare(page);
  });

  it.each(Object.entries(screens))("has no accessibility fault on %s", async (name, path) => {
    const address = path.replace(/[A-Z]{3,}/, (word) => ids[word] ?? word);

    await page.goto(tested.url + address, { waitUntil: "networkidle" });
    await takeScreenshot(page, `${name}-${width}-${scheme}`);

    expect(await axeViolations(page)).toEqual([]);
  });

  it("breaks nothing, is refused nothing and asks nobody else on any of them", () => {
    expectNoFaults(faults);
  });
});

/** A run in a session, and one that waits for a decision. */
async function prepare(page: Page): Promise<Readonly<Record<string, string>>> {
  await ask(page, "Where is ORD-2?");
  const answer = page.getByRole("article");
  await answer.getByText("Completed").waitFor();
  const runLink = await answer.getByRole("link", { name: "Open run" }).getAttribute("href");
  const stopped = await fetch(`${tested.url}/api/agents/refunds/run`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ message: "Refund ORD-2" }),
  });
  return {
    [RUN]: runLink?.split("/").at(-1) ?? "",
    [STOPPED]: ((await stopped.json()) as { readonly runId: string }).runId,
    [SESSION]: new URL(page.url()).searchParams.get("session") ?? "",
  };
}
