/** The part of the editor that says when the work is done. */

import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { takeScreenshot } from "../kit/browser.ts";
import { covers } from "../requirements/covers.ts";
import { axeViolations } from "./axe.ts";
import { type ConsoleUnderTest, startConsole } from "./console-under-test.ts";
import { edited, editorSteps, openSection, save } from "./editor-steps.ts";
import { expectNoFaults } from "./page-steps.ts";

const MODEL = { provider: "demo", model: "support" };

let tested: ConsoleUnderTest;
const { create, put, current } = editorSteps(() => tested.url);

beforeAll(async () => {
  tested = await startConsole();
  await put({ name: "reader", description: "Reads drafts.", model: MODEL });
  await put({ name: "reader", description: "Reads drafts.", instructions: "2", model: MODEL });
});

afterAll(() => tested?.close());

describe("the loop panel", () => {
  it(
    "offers every kind the server lists, with its description",
    covers("loop-criteria-list.console-loop-panel", "code-criterion.description-shown-in-console"),
    async () => {
      const { page, faults } = await withLoop();

      const kinds = page.getByRole("group", { name: "Criteria" }).getByRole("button", {
        name: /^Add /,
      });
      await kinds.nth(5).waitFor();
      expect(await kinds.allTextContents()).toEqual([
        "completionMarker",
        "todoCompletion",
        "aiJudge",
        "backgroundTaskCompletion",
        "agentReview",
        "hasCitations",
      ]);
      await page.getByText("Every claim has a numbered citation. (in code)").waitFor();
      await add(page, "hasCitations");
      const card = criterion(page, 1);
      await card.getByText("Every claim has a numbered citation.").waitFor();
      await card.getByText("It has nothing to set.").waitFor();
      expect(await loopOf(page)).toEqual({ criteria: [{ kind: "hasCitations" }] });
      expectNoFaults(faults);
    },
  );

  it("gives each kind its own fields and no others", async () => {
    const { page, faults } = await withLoop();

    await add(page, "completionMarker");
    await criterion(page, 1).getByRole("textbox", { name: "Marker" }).fill("ALL DONE");
    await add(page, "aiJudge");
    const judge = criterion(page, 2);
    await judge.getByText("Judged by demo / judge").waitFor();
    await judge.getByRole("button", { name: "Add judge criterion" }).click();
    await judge.getByRole("textbox", { name: "Judge criterion 1" }).fill("It is polite.");
    await judge.getByRole("textbox", { name: "Judge instructions" }).fill("Judge {criteria}.");
    await add(page, "todoCompletion");
    await criterion(page, 3).getByRole("button", { name: "Add mode" }).click();
    await criterion(page, 3).getByRole("textbox", { name: "Mode 1" }).fill("plan");
    await add(page, "backgroundTaskCompletion");

    expect(await criterion(page, 1).getByRole("textbox").count()).toBe(1);
    expect(await criterion(page, 4).getByRole("textbox").count()).toBe(0);
    expect(await loopOf(page)).toEqual({
      criteria: [
        { kind: "completionMarker", marker: "ALL DONE" },
        {
          kind: "aiJudge",
          judgeCriteria: ["It is polite."],
          judgeInstructions: "Judge {criteria}.",
        },
        { kind: "todoCompletion", modes: ["plan"] },
        { kind: "backgroundTaskCompletion" },
      ],
    });
    expectNoFaults(faults);
  });

  it(
    "picks a reviewer from the agents, and a version of it",
    covers("agent-review.console-picks-reviewer"),
    async () => {
      const { page, faults } = await withLoop();

      await add(page, "agentReview");
      const card = criterion(page, 1);
      const version = card.getByRole("combobox", { name: "Version of reader to run" });
      await card.getByRole("combobox", { name: "Reviewer" }).selectOption("support");
      expect(await card.getByRole("combobox", { name: /^Version of/ }).count()).toBe(0);
      await card.getByRole("combobox", { name: "Reviewer" }).selectOption("reader");
      await card.getByText("Reads drafts.").waitFor();
      await version.getByRole("option", { name: "v1" }).waitFor({ state: "attached" });
      await version.selectOption("v1");
      const pinned = await loopOf(page);
      await version.selectOption("current, now v2");

      const review = { kind: "agentReview", reviewerAgent: "reader" };
      expect(pinned).toEqual({ criteria: [{ ...review, reviewerAgentVersion: 1 }] });
      expect(await loopOf(page)).toEqual({ criteria: [review] });
      expectNoFaults(faults);
    },
  );

  it("is ordered by keys, reads out each move and keeps what a criterion holds", async () => {
    const { page, faults } = await withCriteria();
    const group = page.getByRole("group", { name: "Criteria" });
    const focused = () =>
      page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "");

    await handle(page, 3).focus();
    await page.keyboard.press("ArrowUp");
    await group.getByText("agentReview moved to place 2 of 3").waitFor({ state: "attached" });
    await expect.poll(focused).toContain("criterion 2, agentReview");
    await page.keyboard.press("Home");
    await group.getByText("agentReview moved to place 1 of 3").waitFor({ state: "attached" });
    await page.keyboard.press("ArrowUp");
    await group.getByRole("button", { name: "Move criterion 1, agentReview down" }).click();

    expect(await loopOf(page)).toEqual({ criteria: [MARKER, REVIEW, CITATIONS] });
    expectNoFaults(faults);
  });

  it("is ordered by dragging, and stays as it was when the drag is given up", async () => {
    const { page, faults } = await withCriteria();

    await drag(page, 1, 3);
    await page.keyboard.press("Escape");
    await page.mouse.up();
    const givenUp = await loopOf(page);
    await drag(page, 1, 3);
    await page.mouse.up();

    expect(givenUp).toEqual({ criteria: [MARKER, CITATIONS, REVIEW] });
    expect(await loopOf(page)).toEqual({ criteria: [CITATIONS, REVIEW, MARKER] });
    expectNoFaults(faults);
  });

  it("shows the default ceiling, and says in words what each outcome does", async () => {
    await create({ name: "outcomes", model: MODEL, harness: { loop: { criteria: [MARKER] } } });
    const before = await current("outcomes");
    const { page, faults } = await tested.open("/agents/outcomes/edit");
    const exhausted = page.getByRole("group", { name: /^When the ceiling is reached/ });
    const ceiling = page.getByRole("textbox", { name: "Most iterations" });

    expect(await ceiling.getAttribute("placeholder")).toBe("10");
    await exhausted.getByRole("radio", { name: /^Fail the run.*loop_unsatisfied/ }).check();
    await ceiling.fill("4");
    await page.getByRole("checkbox", { name: /fresh context/ }).check();
    await save(page);

    const loop = (before.harness as { loop: object }).loop;
    expect(await current("outcomes")).toEqual({
      ...before,
      version: 2,
      updatedAt: expect.any(String),
      harness: {
        ...(before.harness as object),
        loop: { ...loop, maxIterations: 4, freshContextPerIteration: true, onExhausted: "FailRun" },
      },
    });
    expectNoFaults(faults);
  });

  it("says what is done about runs that get nowhere, with a loop and without", async () => {
    const { page, faults } = await tested.open("/new-agent");
    const settings = page.getByRole("checkbox", { name: "Settings for runs that get nowhere" });

    await openSection(page, "Loop");
    await settings.check();
    await page.getByRole("checkbox", { name: "Step in" }).check();
    await page.getByRole("textbox", { name: "Stop after repeats" }).fill("2");
    const repeats = page.getByRole("textbox", { name: "Stop after repeats" });
    await repeats.and(page.locator("[aria-invalid]")).waitFor();
    await repeats.fill("6");

    expect(await edited(page)).toMatchObject({
      harness: { progress: { escalate: true, maxRepeats: 6 } },
    });
    expectNoFaults(faults);
  });

  it("leaves no trace when it is turned on and off again", async () => {
    await create({ name: "on-and-off", model: MODEL });
    const { page } = await tested.open("/agents/on-and-off/edit");

    await openSection(page, "Loop");
    await page.getByRole("checkbox", { name: "Run until the work is done" }).check();
    await page.getByRole("list", { name: "Errors" }).getByText("harness.loop.criteria").waitFor();
    await page.getByRole("checkbox", { name: "Run until the work is done" }).uncheck();

    expect(await edited(page)).not.toHaveProperty("harness");
    expect(await page.getByRole("button", { name: "Save new version" }).isDisabled()).toBe(true);
  });

  it("keeps what another kind left behind until it is removed", async () => {
    const { page } = await withLoop();

    await add(page, "completionMarker");
    await criterion(page, 1).getByRole("textbox", { name: "Marker" }).fill("DONE");
    await criterion(page, 1)
      .getByRole("combobox", { name: "Kind of criterion 1" })
      .selectOption("hasCitations");
    const kept = await loopOf(page);
    await criterion(page, 1).getByText("This kind does not read marker.").waitFor();
    await criterion(page, 1).getByRole("button", { name: "Remove it" }).click();

    expect(kept).toEqual({ criteria: [{ kind: "hasCitations", marker: "DONE" }] });
    expect(await loopOf(page)).toEqual({ criteria: [{ kind: "hasCitations" }] });
  });

  it("says what to do where no judge is configured", async () => {
    const { page } = await tested.open("/");
    await page.route("**/api/loop-criteria", async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ json: { ...(await answer.json()), judge: null } });
    });
    await page.goto(`${tested.url}/new-agent`);
    await openSection(page, "Loop");
    await page.getByRole("checkbox", { name: "Run until the work is done" }).check();

    await add(page, "aiJudge");

    await criterion(page, 1).getByText("No judge is configured on this server").waitFor();
    await criterion(page, 1).getByText("judge: {").waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });

  it("can still be edited when the kinds cannot be read, and tries again", async () => {
    const { page } = await tested.open("/");
    await page.route("**/api/loop-criteria", (route) => route.fulfill({ status: 403, json: {} }));
    await create({ name: "unlisted", model: MODEL, harness: { loop: { criteria: [MARKER] } } });
    await page.goto(`${tested.url}/agents/unlisted/edit`);

    await page.getByText("Add a criterion").click();
    await page.getByText("The kinds there are cannot be read").waitFor();
    await criterion(page, 1).getByRole("textbox", { name: "Marker" }).fill("THE END");
    await page.unroute("**/api/loop-criteria");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("button", { name: "Add aiJudge" }).waitFor();

    expect(await loopOf(page)).toMatchObject({
      criteria: [{ kind: "completionMarker", marker: "THE END" }],
    });
  });
});

describe("findings of a loop", () => {
  it("stand at the fields they name and lead there", async () => {
    const { page } = await withLoop();
    const errors = page.getByRole("list", { name: "Errors" });

    await errors.getByRole("button", { name: /harness\.loop\.criteria / }).waitFor();
    await add(page, "hasCitations");
    await add(page, "completionMarker");
    await add(page, "agentReview");
    await page.getByRole("textbox", { name: "Most iterations" }).fill("0");
    await errors.getByRole("button", { name: /criteria\[1\]\.marker/ }).click();
    const marker = criterion(page, 2).getByRole("textbox", { name: "Marker" });
    await marker.and(page.locator(":focus")).waitFor();
    const reviewer = criterion(page, 3).getByRole("combobox", { name: "Reviewer" });
    const ceiling = page.getByRole("textbox", { name: "Most iterations" });

    const invalid = page.locator('[aria-invalid="true"]');
    for (const field of [marker, reviewer, ceiling]) await field.and(invalid).waitFor();
    await errors.getByRole("button", { name: /reviewerAgent/ }).click();
    await reviewer.and(page.locator(":focus")).waitFor();
    await page.locator("summary").filter({ hasText: "Loop" }).getByText("3 errors").waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });

  it("of a kind that nobody knows stand at the kind", async () => {
    const { page } = await tested.open("/new-agent?view=json");
    const json = page.getByRole("textbox", { name: "Definition as JSON" });
    const loop = { criteria: [{ kind: "noSuchKind" }, {}] };

    await json.fill(JSON.stringify({ name: "odd", model: MODEL, harness: { loop } }));
    await page.getByRole("tab", { name: "Form" }).click();
    await page.getByRole("list", { name: "Errors" }).getByText("criteria[0].kind").waitFor();

    for (const [number, shown] of [
      [1, "noSuchKind"],
      [2, "no kind"],
    ] as const) {
      const kind = page.getByRole("combobox", { name: `Kind of criterion ${number}` });
      expect(await kind.getAttribute("aria-invalid")).toBe("true");
      expect(await kind.locator("option:checked").textContent()).toBe(shown);
    }
  });
});

describe.each([
  { width: 1_440, scheme: "light" },
  { width: 1_440, scheme: "dark" },
  { width: 390, scheme: "light" },
  { width: 390, scheme: "dark" },
] as const)("at $width px, $scheme", ({ width, scheme }) => {
  it("the loop panel has no accessibility fault", async () => {
    const name = `loop-${width}-${scheme}`;
    const criteria = [
      MARKER,
      { kind: "aiJudge", judgeCriteria: ["It is polite.", "It answers the question."] },
      REVIEW,
      CITATIONS,
    ];
    await create({ name, model: MODEL, harness: { loop: { criteria } } });
    const { page, faults } = await tested.open(`/agents/${name}/edit`, { width, scheme });

    await page.getByText("Judged by demo / judge").waitFor();
    for (const [part, place] of [
      ["top", "start"],
      ["bottom", "end"],
    ] as const) {
      await page
        .locator("details")
        .filter({ has: page.getByRole("group", { name: "Criteria" }) })
        .evaluate((section, block) => section.scrollIntoView({ block }), place);
      expect(await axeViolations(page)).toEqual([]);
      await takeScreenshot(page, `loop-panel-${part}-${width}-${scheme}`);
    }
    expectNoFaults(faults);
  });
});

const MARKER = { kind: "completionMarker", marker: "DONE" };
const CITATIONS = { kind: "hasCitations" };
const REVIEW = { kind: "agentReview", reviewerAgent: "reader" };

/** A new agent whose loop is on and has no criterion yet. */
async function withLoop() {
  const opened = await tested.open("/new-agent");
  await openSection(opened.page, "Loop");
  await opened.page.getByRole("checkbox", { name: "Run until the work is done" }).check();
  return opened;
}

/** A new agent with three criteria. */
async function withCriteria() {
  const opened = await tested.open("/new-agent?view=json");
  const loop = { criteria: [MARKER, CITATIONS, REVIEW] };
  await opened.page
    .getByRole("textbox", { name: "Definition as JSON" })
    .fill(JSON.stringify({ name: "ordered", model: MODEL, harness: { loop } }));
  await opened.page.getByRole("tab", { name: "Form" }).click();
  return opened;
}

const add = (page: Page, kind: string): Promise<void> =>
  page.getByRole("button", { name: `Add ${kind}`, exact: true }).click();

const criterion = (page: Page, number: number): Locator =>
  page.locator(`[data-row-item][data-path="harness.loop.criteria[${number - 1}]"]`);

const handle = (page: Page, number: number): Locator =>
  criterion(page, number).locator("[data-handle]");

/** Takes a criterion by its handle and holds it over the place of another. */
async function drag(page: Page, from: number, to: number): Promise<void> {
  await handle(page, from).scrollIntoViewIfNeeded();
  await handle(page, from).hover();
  await page.mouse.down();
  const box = await criterion(page, to).boundingBox();
  await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + (box?.height ?? 0) - 4, { steps: 5 });
}

async function loopOf(page: Page): Promise<unknown> {
  const { harness } = await edited(page);
  return (harness as { readonly loop?: unknown } | undefined)?.loop;
}
