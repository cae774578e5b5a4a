/** The part of the editor that says which agents an agent may call, and how. */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { takeScreenshot } from "../kit/browser.ts";
import { covers } from "../requirements/covers.ts";
import { axeViolations } from "./axe.ts";
import { type ConsoleUnderTest, startConsole } from "./console-under-test.ts";
import { edited, editorSteps, openSection, save } from "./editor-steps.ts";
import { expectNoFaults } from "./page-steps.ts";

const MODEL = { provider: "demo", model: "support" };
const NAMES = ["callee", "copy-reader", "editor", "fact-checker", "legal", "translator"];

let tested: ConsoleUnderTest;
const { create, put, current } = editorSteps(() => tested.url);

beforeAll(async () => {
  tested = await startConsole();
  for (const name of NAMES) {
    await put({ name, description: `The ${name} of the house.`, model: MODEL });
  }
  await put({ name: "callee", instructions: "Two.", model: MODEL });
});

afterAll(() => tested?.close());

describe("the callable agents", () => {
  it("are pinned to one of their versions", covers("pin.console-select"), async () => {
    const { page, faults } = await tested.open("/new-agent");
    const version = page.getByRole("combobox", { name: "Version of callee to run" });

    await openSection(page, "Callable agents");
    await page.getByRole("checkbox", { name: "callee" }).check();
    await page.getByRole("checkbox", { name: "support" }).check();
    await expect
      .poll(() => version.getByRole("option").allTextContents())
      .toEqual(["current, now v2", "v2", "v1"]);
    const ofCode = await page.getByRole("combobox", { name: "Version of support to run" }).count();
    await version.selectOption("v1");
    const pinned = (await edited(page)).callableAgents;
    await version.selectOption("current, now v2");

    expect(pinned).toEqual([{ name: "callee", version: 1 }, { name: "support" }]);
    expect((await edited(page)).callableAgents).toEqual([{ name: "callee" }, { name: "support" }]);
    expect(ofCode).toBe(0);
    expectNoFaults(faults);
  });

  it("are searched by name and description", async () => {
    const { page } = await tested.open("/new-agent");

    await openSection(page, "Callable agents");
    await page.getByRole("searchbox", { name: "Search agents" }).fill("copy-reader of the");
    const group = page.getByRole("group", { name: "Agents it may call" });
    await expect.poll(() => group.getByRole("checkbox").count()).toBe(1);
    await group.getByRole("checkbox", { name: "copy-reader" }).check();
    await page.getByRole("searchbox", { name: "Search agents" }).fill("nothing like it");
    await group.getByText("No agent is like that.").waitFor();

    expect((await edited(page)).callableAgents).toEqual([{ name: "copy-reader" }]);
  });

  it("stay as they were written when something else of them is edited", async () => {
    await create({ name: "short", callableAgents: ["callee", "editor"], model: MODEL });
    const { page, faults } = await tested.open("/agents/short/edit");
    const before = await current("short");

    await page.getByRole("checkbox", { name: "legal" }).check();
    await page.getByRole("checkbox", { name: "callee" }).uncheck();
    await save(page);

    expect(await current("short")).toEqual({
      ...before,
      version: 2,
      updatedAt: expect.any(String),
      callableAgents: [{ name: "editor" }, { name: "legal" }],
    });
    expectNoFaults(faults);
  });

  it(
    "are called as background tasks or as one tool each, with two waits",
    covers("call-mode.editor-edits-mode"),
    async () => {
      await create({ name: "call-mode", callableAgents: ["copy-reader"], model: MODEL });
      const { page, faults } = await tested.open("/agents/call-mode/edit");
      const waits = ["Deadline of a child", "Hard cutoff of the wait"];

      await page.getByRole("radio", { name: "One tool each" }).check();
      await page.getByText("The model calls it as copy_reader.").waitFor();
      await page.getByRole("textbox", { name: waits[0]! }).fill("10s");
      await page.getByRole("textbox", { name: waits[1]! }).fill("00:00:20");
      await save(page);

      expect((await current("call-mode")).subAgents).toMatchObject({
        callMode: "Tool",
        childDeadline: "00:00:10",
        waitTimeout: "00:00:20",
      });
      expectNoFaults(faults);
    },
  );

  it("leave no settings behind once nothing of them is set any more", async () => {
    await create({ name: "untouched-calls", callableAgents: ["editor"], model: MODEL });
    const { page } = await tested.open("/agents/untouched-calls/edit");
    const deadline = page.getByRole("textbox", { name: "Deadline of a child" });

    await page.getByRole("radio", { name: "One tool each" }).check();
    await deadline.fill("10s");
    await page.getByRole("radio", { name: /Background tasks/ }).check();
    await deadline.fill("");

    expect(await edited(page)).not.toHaveProperty("subAgents");
    expect(await page.getByRole("button", { name: "Save new version" }).isDisabled()).toBe(true);
  });
});

describe("findings of callable agents", () => {
  it("stand at their entries and their versions, and lead there", async () => {
    await create({ name: "found", model: MODEL });
    const { page } = await tested.open("/agents/found/edit?view=json");
    const json = page.getByRole("textbox", { name: "Definition as JSON" });
    const errors = page.getByRole("list", { name: "Errors" });

    await json.fill(
      JSON.stringify({
        name: "found",
        model: MODEL,
        callableAgents: [
          { name: "callee", version: 9 },
          { name: "support", version: 1 },
          { name: "nobody" },
          { name: "editor" },
          { name: "editor" },
        ],
      }),
    );
    await page.getByRole("tab", { name: "Form" }).click();
    await errors.getByRole("button", { name: /callableAgents\[0\]\.version/ }).click();
    const version = page.getByRole("combobox", { name: "Version of callee to run" });
    await version.and(page.locator(":focus")).waitFor();
    const entries = page.getByRole("group", { name: "Agents it may call" }).getByRole("listitem");
    const noted = (text: string) => entries.filter({ hasText: text }).getByText(/^Error: /);

    expect(await version.getAttribute("aria-invalid")).toBe("true");
    expect(await noted("Version of callee").count()).toBe(1);
    expect(await noted("Version of support").count()).toBe(1);
    expect(await noted("There is no agent of that name").count()).toBe(1);
    expect(await noted("editor").count()).toBe(1);
    expect(await axeViolations(page)).toEqual([]);
  });
});

describe.each([
  { width: 1_440, scheme: "light" },
  { width: 1_440, scheme: "dark" },
  { width: 390, scheme: "light" },
  { width: 390, scheme: "dark" },
] as const)("at $width px, $scheme", ({ width, scheme }) => {
  it("the callable agents have no accessibility fault", async () => {
    const name = `calls-${width}-${scheme}`;
    await create({
      name,
      model: MODEL,
      callableAgents: [{ name: "callee", version: 1 }, "copy-reader"],
      subAgents: { callMode: "Tool", childDeadline: "10s", waitTimeout: "20s" },
    });
    const { page, faults } = await tested.open(`/agents/${name}/edit`, { width, scheme });

    await page.getByText("Valid: this definition compiles").waitFor();
    await page
      .getByRole("textbox", { name: "Hard cutoff of the wait" })
      .evaluate((field) => field.scrollIntoView({ block: "end" }));

    expect(await axeViolations(page)).toEqual([]);
    await takeScreenshot(page, `callable-agents-${width}-${scheme}`);
    expectNoFaults(faults);
  });
});
