import { DEFAULT_HARNESS_INSTRUCTIONS } from "@tracon/core";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PageFaults, takeScreenshot } from "../kit/browser.ts";
import { tracon } from "../kit/tracon-api.ts";
import { covers } from "../requirements/covers.ts";
import { axeViolations } from "./axe.ts";
import { type ConsoleUnderTest, startConsole } from "./console-under-test.ts";
import { editorText } from "./editor-text.ts";

let tested: ConsoleUnderTest;

beforeAll(async () => {
  tested = await startConsole();
});

afterAll(() => tested?.close());

describe("the form", () => {
  it.each([
    ["Description", "textbox", "Another purpose.", { description: "Another purpose." }],
    ["Display name", "textbox", "Renamed", { displayName: "Renamed" }],
    ["Max output tokens", "textbox", "77", { model: { maxOutputTokens: 77 } }],
    ["Shared instructions", "combobox", "shared", { sharedInstructionsName: "shared" }],
  ] as const)(
    "saves %s and leaves every other member as it was",
    async (label, role, text, edit) => {
      const name = `one-field ${label}`;
      await put({ name: "shared", instructions: "Be kind.", model: MODEL });
      await create(fullDefinition(name));
      const before = await current(name);
      const { page, faults } = await tested.open(`/agents/${name}/edit`);

      const field = page.getByRole(role, { name: label, exact: true }).first();
      await (role === "combobox" ? field.selectOption(text) : field.fill(text));
      await save(page);

      const after = await current(name);
      const { model = {}, ...members } = edit as { readonly model?: object };
      expect({ ...after, ...STORED }).toStrictEqual({
        ...before,
        ...STORED,
        ...members,
        model: { ...before.model, ...model },
      });
      expect(after.version).toBe(2);
      expectNoFaults(faults);
    },
  );

  it("creates an agent", async () => {
    const { page, faults } = await tested.open("/new-agent");

    await page.getByRole("textbox", { name: "Name", exact: true }).fill("from-the-form");
    await page.getByRole("textbox", { name: "Instructions", exact: true }).fill("One.\nTwo.");
    await page.getByRole("button", { name: "Create agent" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Create agent" }).click();
    await page.getByRole("heading", { name: "from-the-form", level: 1 }).waitFor();

    expect(await current("from-the-form")).toMatchObject({ instructions: "One.\nTwo." });
    expectNoFaults(faults);
  });

  it("is used by keyboard alone: the diff opens, closes and gives the focus back", async () => {
    await create(fullDefinition("keys"));
    const { page, faults } = await tested.open("/agents/keys/edit");
    const name = page.getByRole("textbox", { name: "Display name" });
    const dialog = page.getByRole("dialog", { name: "Save new version" });

    await name.focus();
    await page.keyboard.press("End");
    await page.keyboard.type(" and more");
    await page.keyboard.press("Control+Enter");
    await dialog.getByText("Full and more").waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await takeScreenshot(page, "editor-save");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.keyboard.type("!");
    await page.keyboard.press("Control+Enter");
    await dialog.getByText("Full and more!").waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL((it) => !it.pathname.endsWith("/edit"));

    expect(await current("keys")).toMatchObject({ version: 2, displayName: "Full and more!" });
    expectNoFaults(faults);
  });

  it(
    "is offered for agents that can be edited",
    covers("source.console-offers-edit-by-flag"),
    async () => {
      await create(fullDefinition("editable"));
      const { page, faults } = await tested.open("/agents/editable");
      await page.getByRole("link", { name: "Edit", exact: true }).waitFor();

      await page.goto(`${tested.url}/agents/support`);
      await page.getByRole("link", { name: "Run", exact: true }).waitFor();
      const offered = await page.getByRole("link", { name: "Edit", exact: true }).count();
      await page.goto(`${tested.url}/agents/support/edit`);
      await page.getByText("This agent is not edited here").waitFor();

      expect(offered).toBe(0);
      expectNoFaults(faults);
    },
  );

  it("shows display names, and the name of who has none", {
    ...covers("definition.display-name"),
  }, async () => {
    await create({ ...fullDefinition("shown"), displayName: "Shown Agent" });
    await create({ name: "unnamed", model: MODEL });
    const { page, faults } = await tested.open("/agents");

    await page.getByRole("link", { name: "unnamed", exact: true }).waitFor();
    await page.getByText("Shown Agent", { exact: true }).waitFor();
    await page.goto(`${tested.url}/agents/shown`);
    await page.getByText("Shown Agent", { exact: true }).first().waitFor();

    expectNoFaults(faults);
  });

  it("offers the registered extensions", covers("extension.editor-offers-list"), async () => {
    const { page } = await tested.open("/new-agent");

    await page.getByText("Extensions", { exact: true }).first().click();
    await page.getByRole("checkbox", { name: "tone Keeps the tone of the house." }).check();

    expect((await edited(page)).extensionNames).toEqual(["tone"]);
  });

  it("does not send a definition that is what it was", async () => {
    await create(fullDefinition("untouched"));
    const { page } = await tested.open("/agents/untouched/edit");
    const description = page.getByRole("textbox", { name: "Description" }).first();
    const text = await description.inputValue();

    await description.fill("Something else");
    await page.getByRole("button", { name: "Save new version" }).and(enabled(page)).waitFor();
    await description.fill(text);

    expect(await page.getByRole("button", { name: "Save new version" }).isDisabled()).toBe(true);
  });

  it("edits the same document as the JSON, both ways", async () => {
    await create(fullDefinition("both-ways"));
    const { page, faults } = await tested.open("/agents/both-ways/edit");
    const json = page.getByRole("textbox", { name: "Definition as JSON" });

    await page.getByRole("textbox", { name: "Temperature" }).fill("0.75");
    await page.getByRole("tab", { name: "JSON" }).click();
    const text = await editorText(json);
    await json.fill(text.replace("0.75", "0.5"));
    await page.getByRole("tab", { name: "Form" }).click();

    expect(JSON.parse(text).model.temperature).toBe(0.75);
    expect(await page.getByRole("textbox", { name: "Temperature" }).inputValue()).toBe("0.5");
    expectNoFaults(faults);
  });

  it("adds and removes texts for cultures", async () => {
    await create(fullDefinition("cultures"));
    const { page, faults } = await tested.open("/agents/cultures/edit");
    const tag = page.getByRole("textbox", { name: "Add a culture" });

    await tag.fill("TR-tr");
    await page.getByText("Write a BCP 47 tag").waitFor({ state: "detached" });
    await tag.fill("not a tag");
    await page.getByText("Write a BCP 47 tag").waitFor();
    await tag.fill("de-AT");
    await tag.press("Enter");
    const german = page.getByRole("textbox", { name: "Instructions in de-AT" });
    await expect.poll(() => isFocused(german)).toBe(true);
    await page.keyboard.type("Hilf {{name}}.");
    await page.getByRole("tab", { name: "tr", exact: true }).click();
    await page.getByRole("button", { name: "Remove tr" }).click();
    await save(page);

    expect((await current("cultures")).instructionsByCulture).toEqual({
      "de-AT": "Hilf {{name}}.",
    });
    expectNoFaults(faults);
  });

  it("picks tools by their descriptions", async () => {
    await create({ ...fullDefinition("tools"), toolNames: [] });
    const { page, faults } = await tested.open("/agents/tools/edit");

    await page.getByText("Tools", { exact: true }).first().click();
    await page.getByRole("checkbox", { name: /get_order_status Returns the status/ }).check();
    await save(page);

    expect((await current("tools")).toolNames).toEqual(["get_order_status"]);
    expectNoFaults(faults);
  });

  it(
    "picks the input of a parameter by its kind",
    covers("parameter.kind-shapes-console-input"),
    async () => {
      await create(fullDefinition("kinds"));
      const { page } = await tested.open("/agents/kinds/edit");
      const preview = page.getByRole("complementary", { name: "Preview" });

      await preview.getByRole("combobox", { name: "polite" }).selectOption("false");

      expect(await preview.getByRole("textbox", { name: "days" }).getAttribute("inputmode")).toBe(
        "decimal",
      );
      expect(await preview.getByRole("textbox", { name: "name" }).getAttribute("inputmode")).toBe(
        "text",
      );
    },
  );
});

describe("findings", () => {
  it("stand at their fields and in a bar that leads to them", async () => {
    await create(fullDefinition("findings"));
    const { page } = await tested.open("/agents/findings/edit");
    await page.getByText("Valid: this definition compiles").waitFor();

    await page.getByRole("textbox", { name: "Temperature" }).fill("7");
    const finding = page
      .getByRole("region", { name: "Validation" })
      .getByRole("button", { name: /model\.temperature/ });
    await page.getByText("Model", { exact: true }).first().click();
    await finding.click();

    const field = page.getByRole("textbox", { name: "Temperature" });
    await expect.poll(() => isFocused(field)).toBe(true);
    expect(await field.getAttribute("aria-invalid")).toBe("true");
    expect(await page.getByText("1 error", { exact: true }).count()).toBeGreaterThan(0);
  });

  it("show a feature that the server does not have at the member that asks for it", async () => {
    await create(fullDefinition("refused"));
    const { page } = await tested.open("/agents/refused/edit");

    await page.getByText("Workspace", { exact: true }).click();
    await page.getByRole("checkbox", { name: "Give sessions a workspace" }).check();

    await page
      .getByRole("group")
      .filter({ hasText: "Give sessions a workspace" })
      .getByText("this version does not have the workspace")
      .first()
      .waitFor();
  });

  it("tell warnings from errors", async () => {
    await create(fullDefinition("warned"));
    const { page, faults } = await tested.open("/agents/warned/edit");

    await page
      .getByRole("textbox", { name: "Instructions", exact: true })
      .fill("{{name}} {{days}} {{polite}} {{who}}");

    await page.getByRole("list", { name: "Warnings" }).getByText("{{who}}").waitFor();
    await page.getByText("Valid: this definition compiles").waitFor();
    expect(await page.getByRole("list", { name: "Errors" }).count()).toBe(0);
    expectNoFaults(faults);
  });

  it("tell of warnings again where the save is confirmed, and lead back from there", async () => {
    await create(fullDefinition("warned-again"));
    const { page, faults } = await tested.open("/agents/warned-again/edit");
    const instructions = page.getByRole("textbox", { name: "Instructions", exact: true });
    const warning = page
      .getByRole("dialog")
      .getByRole("list", { name: "Warnings of this save" })
      .getByRole("button", { name: /instructions .*\{\{who\}\}/ });

    await instructions.fill("{{name}} {{days}} {{polite}} {{who}}");
    await page.keyboard.press("Control+Enter");
    await warning.click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(() => isFocused(instructions)).toBe(true);
    await page.keyboard.press("Control+Enter");
    await warning.waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await takeScreenshot(page, "editor-save-warned");
    await page.getByRole("dialog").getByRole("button", { name: "Save new version" }).click();
    await page.waitForURL((it) => !it.pathname.endsWith("/edit"));

    expect(await current("warned-again")).toMatchObject({ version: 2 });
    expectNoFaults(faults);
  });

  it("lead to the JSON when the form has no field for what they name", async () => {
    await create(fullDefinition("unknown-member"));
    const { page } = await tested.open("/agents/unknown-member/edit?view=json");
    const json = page.getByRole("textbox", { name: "Definition as JSON" });

    await json.fill((await editorText(json)).replace("{", '{ "foo": 1,'));
    await page.getByRole("tab", { name: "Form" }).click();
    await page.getByRole("list", { name: "Errors" }).getByRole("button", { name: /foo/ }).click();

    await expect.poll(() => isFocused(json)).toBe(true);
    expect(new URL(page.url()).searchParams.get("view")).toBe("json");
  });

  it("lead to JSON that cannot be read, which is not saved", async () => {
    await create(fullDefinition("unreadable"));
    const { page } = await tested.open("/agents/unreadable/edit");

    await page.getByText("Metadata", { exact: true }).first().click();
    await page.getByRole("textbox", { name: "Metadata" }).fill('{"a":');

    await page.getByRole("list", { name: "Errors" }).getByText("metadata").waitFor();
    expect(await page.getByRole("button", { name: "Save new version" }).isDisabled()).toBe(true);
  });
});

describe("what the model will read", () => {
  it("is the culture's text behind the shared block, with values, before anything is saved", async () => {
    await create({ name: "house-rules", instructions: "Be kind.", model: MODEL });
    await create({ ...fullDefinition("previewed"), sharedInstructionsName: "house-rules" });
    const { page, faults } = await tested.open("/agents/previewed/edit");
    const preview = page.getByRole("complementary", { name: "Preview" });
    const text = preview.getByRole("region", { name: "Instructions as read" });

    await text.getByText("Be kind.").waitFor();
    await preview.getByRole("textbox", { name: "name" }).fill('"Ada"');
    await preview.getByText(/about \d+ tokens/).waitFor();
    await page.getByRole("tab", { name: "tr", exact: true }).click();
    await page
      .getByRole("textbox", { name: "Instructions in tr" })
      .fill('{"who": "{{name}}"} {{name}}');
    await preview.getByRole("combobox", { name: "Culture of the run" }).fill("tr-TR");

    expect(await text.textContent()).toBe(
      `${DEFAULT_HARNESS_INSTRUCTIONS}\n\nBe kind.\n\n{"who": "\\"Ada\\""} "Ada"`,
    );
    await preview.getByText("get_order_status").click();
    await preview.getByText('"orderId"').first().waitFor();
    expectNoFaults(faults);
  });
});

describe("a conflict", () => {
  it("shows both texts and overwrites nothing until somebody chooses", async () => {
    await create(fullDefinition("contested"));
    const first = await tested.open("/agents/contested/edit");
    const second = await tested.open("/agents/contested/edit");
    const describe = async (page: Page, text: string) => {
      await page.getByRole("textbox", { name: "Description" }).first().fill(text);
    };

    await describe(first.page, "From the first.");
    await describe(second.page, "From the second.");
    await save(first.page);
    await pressSave(second.page);
    const conflict = second.page.getByRole("dialog", { name: "Somebody saved in between" });
    await conflict.getByText("From the first.").waitFor();
    await conflict.getByText("From the second.").waitFor();
    expect(await axeViolations(second.page)).toEqual([]);
    await takeScreenshot(second.page, "editor-conflict");
    const meanwhile = await current("contested");
    await conflict.getByRole("button", { name: "Save mine after v2" }).click();
    await second.page.getByRole("heading", { name: "contested", level: 1 }).waitFor();

    expect(meanwhile).toMatchObject({ version: 2, description: "From the first." });
    expect(await current("contested")).toMatchObject({
      version: 3,
      description: "From the second.",
    });
    expectNoFaults(first.faults);
  });

  it("can be settled by going on with what the other saved", async () => {
    await create(fullDefinition("given-up"));
    const { page } = await tested.open("/agents/given-up/edit");
    const description = page.getByRole("textbox", { name: "Description" }).first();

    await description.fill("Mine.");
    await put({ ...fullDefinition("given-up"), description: "Theirs." });
    await pressSave(page);
    await page.getByRole("button", { name: "Discard mine, edit v2" }).click();

    await expect.poll(() => description.inputValue()).toBe("Theirs.");
    expect(await current("given-up")).toMatchObject({ version: 2, description: "Theirs." });
  });
});

describe("the history", () => {
  it("compares any two versions under an address of their own", async () => {
    for (const text of ["One.\nFirst.", "One.\nSecond.", "One.\nThird."]) {
      await put({ ...fullDefinition("history"), instructions: text });
    }
    const { page, faults } = await tested.open("/agents/history?view=versions");

    await page.getByRole("radio", { name: "Compare from version 1" }).check();
    await page.getByRole("radio", { name: "Compare to version 2" }).check();

    const differences = page.getByRole("region", { name: "Differences" });
    await differences.getByText("First.").waitFor();
    await differences.getByText("Second.").waitFor();
    expect(await differences.getByText("Third.").count()).toBe(0);
    await page.reload();
    await differences.getByText("Second.").waitFor();
    expectNoFaults(faults);
  });
});

describe("a rollback", () => {
  it("does not pass over a version that nobody has compared", async () => {
    for (const text of ["One.", "Two."]) {
      await put({ ...fullDefinition("rolled"), description: text });
    }
    const { page } = await tested.open("/agents/rolled?view=versions");
    const rollBack = (within: Page | Locator) =>
      within.getByRole("button", { name: /Roll back/ }).first();

    await rollBack(page).click();
    await page.getByRole("dialog").getByText("One.").first().waitFor();
    await put({ ...fullDefinition("rolled"), description: "Three." });
    await rollBack(page.getByRole("dialog")).click();
    await page.getByText("Nothing was rolled back").waitFor();
    const meanwhile = await current("rolled");
    await page.getByText("v3", { exact: true }).first().waitFor();

    expect(meanwhile).toMatchObject({ version: 3, description: "Three." });
  });
});

describe("the editor's look", () => {
  const views = [
    { width: 1_440, scheme: "light" },
    { width: 1_440, scheme: "dark" },
    { width: 390, scheme: "light" },
    { width: 390, scheme: "dark" },
  ] as const;

  it.each(views)(
    "has no accessibility fault at $width px, $scheme",
    { timeout: 60_000 },
    async ({ width, scheme }) => {
      const name = `look-${width}-${scheme}`;
      await create({ ...fullDefinition(name), description: "Before." });
      await put(fullDefinition(name));
      const { page, faults } = await tested.open(`/agents/${name}/edit`, { width, scheme });

      for (const view of ["form", "json", "preview"]) {
        await page.goto(`${tested.url}/agents/${name}/edit?view=${view}`, {
          waitUntil: "networkidle",
        });
        await page.getByText("Valid: this definition compiles").waitFor();
        expect(await axeViolations(page), view).toEqual([]);
        await takeScreenshot(page, `editor-${view}-${width}-${scheme}`);
      }
      await page.goto(`${tested.url}/agents/${name}?view=versions`, { waitUntil: "networkidle" });
      expect(await axeViolations(page), "versions").toEqual([]);
      await takeScreenshot(page, `versions-${width}-${scheme}`);
      await page.goto(`${tested.url}/agents/${name}/edit`, { waitUntil: "networkidle" });
      expectNoFaults(faults);
      await page.evaluate(() => {
        for (const section of document.querySelectorAll("details")) section.open = true;
      });
      await page.getByRole("textbox", { name: "Temperature" }).fill("7");
      await page.getByRole("checkbox", { name: "Use the harness" }).check();
      await page.getByRole("checkbox", { name: "Run until the work is done" }).check();
      await page.getByRole("button", { name: "Add completionMarker" }).click();
      await page.getByRole("list", { name: "Errors" }).getByText("model.temperature").waitFor();
      expect(await axeViolations(page), "with findings").toEqual([]);
      await takeScreenshot(page, `editor-findings-${width}-${scheme}`);
    },
  );
});

const MODEL = { provider: "demo", model: "support" };
/** What the store writes by itself. */
const STORED = { version: 0, updatedAt: "" };

/** A definition with every member that a server saves today. */
const fullDefinition = (name: string) => ({
  name,
  displayName: "Full",
  description: "Everything is set.",
  instructions: "Help {{name}} for {{days}} days.\n\nPolite: {{polite}}.",
  instructionsByCulture: { tr: "{{name}} için." },
  model: {
    ...MODEL,
    temperature: 0.3,
    topP: 0.9,
    maxOutputTokens: 500,
    reasoningEffort: "low",
    fallbacks: [{ provider: "demo", model: "slow" }],
    toolLoop: { allowConcurrentToolCalls: true },
  },
  toolNames: ["get_order_status"],
  subAgents: { childDeadline: "00:00:10", callMode: "BackgroundTasks" },
  skills: { disableReadApproval: true },
  memory: { vectorCollection: "docs" },
  compaction: { strategy: "None", triggerTokens: 100 },
  harness: {
    disableCompaction: true,
    disableTodoProvider: true,
    disableAgentModeProvider: true,
    maximumIterationsPerRequest: 4,
  },
  parameters: [
    { name: "name", kind: "Text", required: true },
    { name: "days", kind: "Number", defaultValue: "3", description: "How long." },
    { name: "polite", kind: "Boolean", required: false, defaultValue: "true" },
  ],
  metadata: { team: "support", nested: { list: [1, null, "x"], "odd.key": { "": 0 } } },
});

type Named = Readonly<Record<string, unknown>> & { readonly name: string };

async function create(definition: Named): Promise<void> {
  const { status, body } = await tracon(tested.url).json("POST", "/api/agents", definition);
  expect(status, JSON.stringify(body)).toBe(201);
}

async function put(definition: Named): Promise<void> {
  const path = `/api/agents/${definition.name}`;
  const { status, body } = await tracon(tested.url).json("PUT", path, definition);
  expect(status, JSON.stringify(body)).toBeLessThan(300);
}

async function current(name: string) {
  return (await tracon(tested.url).json("GET", `/api/agents/${name}`)).body.definition;
}

/** The definition as the editor holds it, saved or not. */
async function edited(page: Page) {
  await page.getByRole("tab", { name: "JSON" }).click();
  return JSON.parse(await editorText(page.getByRole("textbox", { name: "Definition as JSON" })));
}

const isFocused = (control: Locator) =>
  control.evaluate((element) => element === document.activeElement);

const enabled = (page: Page) => page.locator("button:not([disabled])");

async function pressSave(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Save new version" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Save new version" }).click();
}

async function save(page: Page): Promise<void> {
  await pressSave(page);
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.waitForURL((it) => !it.pathname.endsWith("/edit"));
}

function expectNoFaults(faults: PageFaults): void {
  expect(faults).toEqual({ errors: [], foreign: [] });
}
