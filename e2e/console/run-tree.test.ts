/** Runs that call others: their timeline, and their tree as it grows. */

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { takeScreenshot } from "../kit/browser.ts";
import { tracon } from "../kit/tracon-api.ts";
import { axeViolations } from "./axe.ts";
import { type ConsoleUnderTest, startConsole } from "./console-under-test.ts";
import { expectNoFaults } from "./page-steps.ts";

type Member = { readonly id: string; readonly agentName: string };

let tested: ConsoleUnderTest;
/** The runs of one tree, by agent: of the reviewer the first. */
let runs: ReadonlyMap<string, string>;

beforeAll(async () => {
  tested = await startConsole();
  const { runId, status } = await tracon(tested.url).run("chief");
  expect(status).toBe("Completed");
  const { body } = await tracon(tested.url).json("GET", `/api/runs/${runId}/tree`);
  runs = new Map((body as readonly Member[]).toReversed().map((it) => [it.agentName, it.id]));
});

afterAll(() => tested?.close());

describe("the timeline of a run that calls others", () => {
  it("shows each of them below its caller, with a way to it and back", async () => {
    const { page, faults } = await tested.open(`/runs/${runs.get("chief")}`);
    const timeline = page.getByRole("list", { name: "Timeline" });

    const writer = timeline.getByRole("listitem").filter({ hasText: "writer v1" });
    await writer.getByText("Completed").waitFor();
    await timeline
      .getByRole("listitem")
      .filter({ hasText: "broken v1" })
      .getByText("Failed")
      .waitFor();
    expect(await timeline.getByRole("button").allInnerTexts()).toEqual([
      "Run",
      "Model call 1",
      "router",
      "router v1",
      "support v1",
      "writer v1",
      "draft-reviewer v1",
      "draft-reviewer v1",
      "broken v1",
      "Model call 2",
    ]);
    await writer.getByRole("button", { name: "writer v1" }).click();
    const inspector = page.getByRole("complementary", { name: "Inspector" });
    await inspector.getByText("Called by").waitFor();
    await writer.getByRole("link", { name: "Open the run of writer v1" }).click();
    await page.getByRole("heading", { name: "writer", level: 1 }).waitFor();
    await page.getByText("Called by").first().waitFor();
    await page
      .getByRole("link", { name: short(runs.get("router")) })
      .first()
      .click();
    await page.getByRole("heading", { name: "router", level: 1 }).waitFor();
    expectNoFaults(faults);
  });

  it("names the layer that ended the wait for one", async () => {
    const { runId } = await tracon(tested.url).run("impatient");
    const { page, faults } = await tested.open(`/runs/${runId}`);

    const child = page
      .getByRole("list", { name: "Timeline" })
      .getByRole("listitem")
      .filter({ hasText: "endless v1" });
    await child.getByText("past its deadline: asked to stop").waitFor();
    await child.getByRole("button", { name: "endless v1" }).click();
    await page.getByText("It ran past the deadline of its caller").waitFor();
    expectNoFaults(faults);
  });
});

describe("the tree", () => {
  it("is the same from any of its runs, and says which one it is seen from", async () => {
    for (const agent of ["chief", "writer", "draft-reviewer"]) {
      const { page, faults } = await tested.open(`/runs/${runs.get(agent)}?view=tree`);
      const tree = page.getByRole("tree", { name: "Runs of the tree" });

      await tree.getByRole("treeitem").nth(6).waitFor();
      expect(await namesIn(page)).toEqual([
        "chief v1",
        "router v1",
        "support v1",
        "writer v1",
        "draft-reviewer v1",
        "draft-reviewer v1",
        "broken v1",
      ]);
      const own = tree.getByRole("treeitem").and(page.locator("[aria-current]"));
      expect(await own.textContent()).toContain(agent);
      await page.getByRole("tabpanel").getByText("6 of 25").waitFor();
      expectNoFaults(faults);
      await page.context().close();
    }
  });

  it("is walked by keyboard and opens a run of it", async () => {
    const { page, faults } = await tested.open(`/runs/${runs.get("chief")}?view=tree`);
    const focused = () => page.locator("[role=treeitem]:focus").textContent();
    await page.getByRole("treeitem").nth(6).waitFor();

    await page.getByRole("radio", { name: "Graph" }).focus();
    await page.keyboard.press("Tab");
    expect(await focused()).toContain("chief");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    expect(await focused()).toContain("support");
    await page.keyboard.press("ArrowDown");
    expect(await focused()).toContain("writer");
    await page.keyboard.press("ArrowLeft");
    expect(await focused()).toContain("router");
    await page.keyboard.press("End");
    expect(await focused()).toContain("broken");
    await page.keyboard.press("Enter");
    const inspector = page.getByRole("complementary", { name: "Inspector" });
    await inspector.getByText("could not be reached").waitFor();
    await page.keyboard.press("Escape");
    await inspector.waitFor({ state: "hidden" });
    await page.keyboard.press("Enter");
    await inspector.getByRole("link", { name: "Open this run" }).click();

    await page.getByRole("heading", { name: "broken", level: 1 }).waitFor();
    expectNoFaults(faults);
  });

  it("is also a table, under an address of its own", async () => {
    const { page, faults } = await tested.open(`/runs/${runs.get("router")}?view=tree`);

    await page.getByRole("radio", { name: "Table" }).check();
    await page.reload();
    const rows = page.getByRole("table", { name: "Runs of the tree" }).getByRole("row");
    await rows.nth(7).waitFor();
    await rows.filter({ hasText: "support" }).getByText("router").waitFor();
    await rows
      .filter({ hasText: "support" })
      .getByText(/^\$0\.0/)
      .waitFor();
    await rows.filter({ hasText: "writer" }).getByRole("link", { name: "writer" }).click();

    await page.getByRole("heading", { name: "writer", level: 1 }).waitFor();
    expectNoFaults(faults);
  });

  it("lights up while it grows, seen from the root and from below, and shows how it ends", async () => {
    const { page, faults } = await tested.open("/playground?agent=waiter");
    await page.getByRole("textbox", { name: "Message" }).fill("Ask it.");
    await page.keyboard.press("Enter");
    await page.getByRole("article").getByRole("link", { name: "Open run" }).click();
    await page.getByRole("tab", { name: /^Tree/ }).click();
    const child = page.getByRole("treeitem").filter({ hasText: "endless" });
    await child.getByText("Running").waitFor();
    await page.getByText("2, 2 running").waitFor();
    await child.click();
    const link = page.getByRole("link", { name: "Open this run" });
    const childPath = new URL(await link.evaluate(hrefOf)).pathname.replace(/^.*(?=\/runs\/)/, "");
    const below = await tested.open(`${childPath}?view=tree`);
    await below.page
      .getByRole("treeitem")
      .filter({ hasText: /^waiter/ })
      .getByText("Running")
      .waitFor();

    await page.getByRole("button", { name: "Cancel run" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel run" }).click();

    for (const seen of [page, below.page]) {
      for (const agent of ["waiter", "endless"]) {
        await seen
          .getByRole("treeitem")
          .filter({ hasText: new RegExp(`^${agent}`) })
          .getByText("Canceled")
          .waitFor();
      }
    }
    expectNoFaults(faults);
    expectNoFaults(below.faults);
  });

  it("says what a tree is where there is none", async () => {
    const { runId } = await tracon(tested.url).run("support");
    const { page, faults } = await tested.open(`/runs/${runId}?view=tree`);

    await page.getByRole("heading", { name: "It called no other agent" }).waitFor();
    expectNoFaults(faults);
  });
});

describe.each([
  { width: 1_440, scheme: "light" },
  { width: 1_440, scheme: "dark" },
  { width: 390, scheme: "light" },
  { width: 390, scheme: "dark" },
] as const)("at $width px, $scheme", ({ width, scheme }) => {
  it.each([
    ["timeline-below", "chief", ""],
    ["tree", "chief", "?view=tree"],
    ["tree-selected", "router", "?view=tree&at=SELECTED"],
    ["tree-table", "chief", "?view=tree&as=table"],
  ])("has no accessibility fault in %s", async (name, agent, search) => {
    const selected = search.replace("SELECTED", `c${runs.get("broken")}`);
    const { page, faults } = await tested.open(`/runs/${runs.get(agent)}${selected}`, {
      width,
      scheme,
    });

    await page.getByText("broken").first().waitFor();
    await page.waitForLoadState("networkidle");

    expect(await axeViolations(page)).toEqual([]);
    await takeScreenshot(page, `run-${name}-${width}-${scheme}`);
    expectNoFaults(faults);
  });
});

const hrefOf = (link: Element): string => (link as HTMLAnchorElement).href;

const short = (id = ""): string => `${id.slice(0, 8)}…${id.slice(-4)}`;

/** The agents of the drawing, in the order in which they are read. */
const namesIn = (page: Page): Promise<readonly string[]> =>
  page
    .getByRole("treeitem")
    .evaluateAll((nodes) => nodes.map((it) => it.textContent?.match(/^\S+ v\d+/)?.[0] ?? ""));
