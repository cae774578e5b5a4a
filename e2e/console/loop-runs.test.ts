/** Runs that loop: who decided each iteration, why there was no other, and what that took. */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { takeScreenshot } from "../kit/browser.ts";
import { tracon } from "../kit/tracon-api.ts";
import { axeViolations } from "./axe.ts";
import { type ConsoleUnderTest, startConsole } from "./console-under-test.ts";
import { expectNoFaults } from "./page-steps.ts";

const AGENTS = ["writer", "judged", "at-the-ceiling", "stuck"] as const;

let tested: ConsoleUnderTest;
const runs = new Map<string, string>();

beforeAll(async () => {
  tested = await startConsole();
  for (const agent of AGENTS) {
    runs.set(agent, (await tracon(tested.url).run(agent)).runId);
  }
});

afterAll(() => tested?.close());

const openRun = (agent: (typeof AGENTS)[number], search = "") =>
  tested.open(`/runs/${runs.get(agent)}${search}`);

describe("a run that loops", () => {
  it("shows its iterations as chapters, with the reviewer who decided and its run", async () => {
    const { page, faults } = await openRun("writer");
    const timeline = page.getByRole("list", { name: "Timeline" });

    await timeline.getByText("Finished: every criterion is satisfied").last().waitFor();
    expect(await timeline.getByRole("button").allInnerTexts()).toEqual([
      "Run",
      "Iteration 1",
      "Model call 1",
      "draft-reviewer v1",
      "Continued by 'agentReview' (reviewer draft-reviewer v1)",
      "Iteration 2",
      "Model call 1",
      "draft-reviewer v1",
      "Finished: every criterion is satisfied",
    ]);
    await page.getByText("2 iterations, every criterion satisfied").waitFor();
    await timeline.getByRole("button", { name: /^Continued by/ }).click();
    const inspector = page.getByRole("complementary", { name: "Inspector" });
    await inspector.getByText("draft-reviewer v1", { exact: true }).waitFor();
    await inspector.getByRole("link").click();
    await page.getByRole("heading", { name: "draft-reviewer", level: 1 }).waitFor();
    expectNoFaults(faults);
  });

  it("shows its judge with model, tokens and cost, and that the run failed for it", async () => {
    const { page, faults } = await openRun("judged");
    const timeline = page.getByRole("list", { name: "Timeline" });

    await page.getByText("2 iterations, not accepted at the ceiling").waitFor();
    await timeline.getByText("Continued by 'aiJudge' (judge demo / judge)").last().waitFor();
    await timeline
      .getByRole("button", { name: "Not accepted by 'aiJudge' (judge demo / judge)" })
      .waitFor();
    await timeline.getByRole("button", { name: "Judge" }).first().click();
    const inspector = page.getByRole("complementary", { name: "Inspector" });
    await inspector.getByText("demo / judge", { exact: true }).waitFor();
    await inspector.getByText("criterion 1 of the loop").waitFor();
    await inspector.getByText(/^\$0\.00\d+$/).waitFor();
    expectNoFaults(faults);
  });

  it("says that the ceiling ended it, and that nobody judged the last answer", async () => {
    const { page, faults } = await openRun("at-the-ceiling");
    const timeline = page.getByRole("list", { name: "Timeline" });

    await page.getByText("3 iterations, ended by the ceiling").waitFor();
    await timeline
      .getByRole("button", { name: /the next iteration is the last and is not judged/ })
      .waitFor();
    await timeline
      .getByRole("listitem")
      .filter({ hasText: "Iteration 3" })
      .getByText("the last one, not judged: the ceiling is reached")
      .waitFor();
    expectNoFaults(faults);
  });

  it("warns of steps that come again and change nothing", async () => {
    const { page, faults } = await openRun("stuck");
    const timeline = page.getByRole("list", { name: "Timeline" });

    await timeline.getByRole("button", { name: /get_order_status.*2 more times/ }).click();
    const inspector = page.getByRole("complementary", { name: "Inspector" });
    await inspector.getByText("Only recorded: the definition asks for nothing else.").waitFor();
    await inspector.getByText("RepeatedCall", { exact: true }).waitFor();
    expectNoFaults(faults);
  });
});

describe("the figures of a loop", () => {
  it("say of each criterion how often it changed the outcome, and what it took", async () => {
    const { page, faults } = await tested.open("/agents/judged");

    await page.getByRole("tab", { name: "Loop" }).click();
    const judge = page.getByRole("listitem").filter({ hasText: "aiJudge" });
    await judge.getByText("changed the outcome 2 times (100.0 %)").waitFor();
    expect(await judge.locator("dl").textContent()).toMatch(
      /^Runs1Evaluations2Continued2Satisfied0Judge calls2Tokens\d+Cost\$0\.0\d+$/,
    );
    await page.getByRole("combobox", { name: "Time" }).selectOption("All time");
    await judge.getByText("changed the outcome 2 times").waitFor();
    expect(new URL(page.url()).searchParams.get("since")).toBe("all");
    expectNoFaults(faults);
  });

  it("leave the tokens of a reviewer to its own runs, and say so", async () => {
    const { page, faults } = await tested.open("/agents/writer?view=loop");

    const review = page.getByRole("listitem").filter({ hasText: "agentReview" });
    await review.getByText("changed the outcome 1 time (50.0 %)").waitFor();
    await review.getByText("are those of the reviewer's own runs").waitFor();
    expect(await review.getByText("Cost", { exact: true }).count()).toBe(0);
    expectNoFaults(faults);
  });

  it("say what to do where there are none", async () => {
    await tracon(tested.url).json("PUT", "/api/agents/plain", {
      name: "plain",
      model: { provider: "demo", model: "support" },
    });
    const { page, faults } = await tested.open("/agents/plain");
    await page.getByRole("tab", { name: "Overview" }).waitFor();
    const offered = await page.getByRole("tab", { name: "Loop" }).count();
    await page.goto(`${tested.url}/agents/plain?view=loop`);
    await page.getByRole("heading", { name: "It has no loop" }).waitFor();
    await page.getByRole("link", { name: "Add a loop" }).waitFor();
    await page.goto(`${tested.url}/agents/support?view=loop`);
    await page.getByRole("heading", { name: "No criterion was asked" }).waitFor();

    expect(offered).toBe(0);
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
    ["reviewed", () => `/runs/${runs.get("writer")}`, "Iteration 2"],
    ["judged", () => `/runs/${runs.get("judged")}`, "Iteration 2"],
    ["ceiling", () => `/runs/${runs.get("at-the-ceiling")}`, "Iteration 3"],
    ["stuck", () => `/runs/${runs.get("stuck")}`, "2 more times"],
    ["figures", () => "/agents/judged?view=loop", "changed the outcome"],
  ])("has no accessibility fault in %s", async (name, path, text) => {
    const { page, faults } = await tested.open(path(), { width, scheme });

    await page.getByText(text).first().waitFor();
    await page.waitForLoadState("networkidle");

    expect(await axeViolations(page)).toEqual([]);
    await takeScreenshot(page, `loop-${name}-${width}-${scheme}`);
    expectNoFaults(faults);
  });
});
