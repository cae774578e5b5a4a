/** The text boxes for instructions and JSON: what they add to a text, and that they take nothing from it. */

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type PageFaults, takeScreenshot } from "../kit/browser.ts";
import { tracon } from "../kit/tracon-api.ts";
import { axeViolations } from "./axe.ts";
import { type ConsoleUnderTest, startConsole } from "./console-under-test.ts";
import { editorText } from "./editor-text.ts";

let tested: ConsoleUnderTest;

beforeAll(async () => {
  tested = await startConsole();
});

afterAll(() => tested?.close());

it("tells declared placeholders from others and completes them by keyboard", async () => {
  await create("completed", { instructions: "Help {{who}} and {{nobody}}." });
  const { page, faults } = await tested.open("/agents/completed/edit");
  const instructions = page.getByRole("textbox", { name: "Instructions", exact: true });

  await page.locator(".cm-placeholder-declared").getByText("{{who}}").waitFor();
  await page.locator(".cm-placeholder-unknown").getByText("{{nobody}}").waitFor();
  await instructions.focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(" {{da");
  await page.getByRole("option", { name: "{{days}}" }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.keyboard.press("Enter");

  await expect.poll(() => editorText(instructions)).toBe("Help {{who}} and {{nobody}}. {{days}}");
  expectNoFaults(faults);
});

it("leaves Tab and Ctrl Enter to the form around it", async () => {
  await create("keys", { instructions: "One." });
  const { page, faults } = await tested.open("/agents/keys/edit");
  const instructions = page.getByRole("textbox", { name: "Instructions", exact: true });

  await instructions.waitFor();
  await page.getByText("Instructions", { exact: true }).nth(1).click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("\nTwo.");
  await page
    .getByRole("button", { name: "Save new version" })
    .and(page.locator(":enabled"))
    .waitFor();
  await page.keyboard.press("Control+Enter");
  await page.getByRole("dialog", { name: "Save new version" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("Tab");

  expect(await editorText(instructions)).toBe("One.\nTwo.");
  expect(await page.evaluate(() => document.activeElement?.closest(".cm-editor"))).toBeNull();
  expectNoFaults(faults);
});

it.each([
  ["of one system", "One.\nTwo.\n", "\n"],
  ["of another system", "One.\r\nTwo.\r\n", "\r\n"],
  ["of several systems", "One.\rTwo.\r\nThree.\u2028Four.\n\n", "\n"],
])("keeps line ends %s", async (which, instructions, newLine) => {
  const name = `line-ends ${which}`;
  await create(name, { instructions });
  const { page, faults } = await tested.open(`/agents/${name}/edit`);

  await page.getByRole("textbox", { name: "Instructions", exact: true }).focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("Last.\nEnd.");
  await save(page);

  expect((await current(name)).instructions).toBe(`${instructions}Last.${newLine}End.`);
  expectNoFaults(faults);
});

it("can be undone", async () => {
  await create("undone", { instructions: "One." });
  const { page } = await tested.open("/agents/undone/edit");
  const instructions = page.getByRole("textbox", { name: "Instructions", exact: true });

  await instructions.fill("Two.");
  await page
    .getByRole("button", { name: "Save new version" })
    .and(page.locator(":enabled"))
    .waitFor();
  await page.keyboard.press("Control+z");

  await expect.poll(() => editorText(instructions)).toBe("One.");
  expect(await page.getByRole("button", { name: "Save new version" }).isDisabled()).toBe(true);
});

it("marks findings of the server in the JSON", async () => {
  await create("marked", { model: { ...MODEL, temperature: 1 } });
  const { page, faults } = await tested.open("/agents/marked/edit?view=json");
  const json = page.getByRole("textbox", { name: "Definition as JSON" });

  await json.fill((await editorText(json)).replace('"temperature": 1', '"temperature": 77'));
  await page.locator(".cm-lintRange-error").getByText("77").waitFor();
  await page.locator(".cm-lint-marker-error").waitFor();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("F8");

  expect(await page.evaluate(() => getSelection()?.toString())).toBe("77");
  expect(await axeViolations(page)).toEqual([]);
  expectNoFaults(faults);
});

it("marks where a schema is no JSON, and what the server says of one", async () => {
  await create("schema", { model: { ...MODEL, responseFormat: FORMAT } });
  const { page, faults } = await tested.open("/agents/schema/edit");
  const schema = page.getByRole("textbox", { name: "Schema", exact: true });

  await schema.fill('{ "type": "object" "x" }');
  await page.locator(".cm-lintRange-error").waitFor();
  const described = await schema.getAttribute("aria-describedby");
  const said = await page.locator(`[id="${described}"]`).textContent();

  expect(await schema.getAttribute("aria-invalid")).toBe("true");
  expect(said).toContain("after property value in JSON");
  expectNoFaults(faults);
});

it.each([
  { width: 1_440, scheme: "light" },
  { width: 1_440, scheme: "dark" },
  { width: 390, scheme: "light" },
  { width: 390, scheme: "dark" },
] as const)("has no accessibility fault at $width px, $scheme", async ({ width, scheme }) => {
  const name = `code-${width}-${scheme}`;
  await create(name, { instructions: LONG, model: { ...MODEL, responseFormat: FORMAT } });
  const { page, faults } = await tested.open(`/agents/${name}/edit`, { width, scheme });
  const instructions = page.getByRole("textbox", { name: "Instructions", exact: true });

  await instructions.focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(" {{");
  await page.getByRole("listbox").waitFor();
  expect(await axeViolations(page), "completing").toEqual([]);
  await takeScreenshot(page, `code-instructions-${width}-${scheme}`);
  await page.keyboard.press("Escape");
  await page
    .getByRole("textbox", { name: "Schema", exact: true })
    .fill('{ "type": 7, "a": [true] }');
  await page
    .getByRole("list", { name: "Errors" })
    .getByText("model.responseFormat")
    .first()
    .waitFor();
  await page.getByRole("textbox", { name: "Schema", exact: true }).scrollIntoViewIfNeeded();
  expect(await axeViolations(page), "schema").toEqual([]);
  await takeScreenshot(page, `code-schema-${width}-${scheme}`);
  await page.getByRole("tab", { name: "JSON" }).click();
  await page.locator(".cm-lint-marker-error").first().waitFor();
  await page.locator(".cm-lintRange-error").first().hover();
  await page.locator(".cm-tooltip").waitFor();
  expect(await axeViolations(page), "JSON").toEqual([]);
  await takeScreenshot(page, `code-json-${width}-${scheme}`);
  expectNoFaults(faults);
});

const MODEL = { provider: "demo", model: "support" };

const FORMAT = {
  kind: "JsonSchema",
  schemaName: "answer",
  schema: { type: "object", properties: { text: { type: "string" } } },
};

const LONG = `# Help

You help **{{who}}** for {{days}} days, _kindly_; see [the rules](https://rules.example) and \`code\`.

- First: {{unknown}} is declared nowhere.
- Then answer.

> Quoted text.`;

async function create(name: string, members: object): Promise<void> {
  const { status, body } = await tracon(tested.url).json("POST", "/api/agents", {
    name,
    model: MODEL,
    parameters: [
      { name: "who", kind: "Text", required: true },
      { name: "days", kind: "Number", required: false },
    ],
    ...members,
  });
  expect(status, JSON.stringify(body)).toBe(201);
}

async function current(name: string) {
  return (await tracon(tested.url).json("GET", `/api/agents/${name}`)).body.definition;
}

async function save(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Save new version" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Save new version" }).click();
  await page.waitForURL((it) => !it.pathname.endsWith("/edit"));
}

function expectNoFaults(faults: PageFaults): void {
  expect(faults).toEqual({ errors: [], foreign: [] });
}
