import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPage, takeScreenshot } from "../kit/browser.ts";
import { startCli } from "../kit/cli-process.ts";
import { tracon } from "../kit/tracon-api.ts";
import { axeViolations } from "./axe.ts";
import { type ConsoleUnderTest, startConsole } from "./console-under-test.ts";
import { ask, expectNoFaults } from "./page-steps.ts";

/** Scripts and styles of one screen, compressed. */
const FIRST_LOAD_BYTES = 200_000;

let tested: ConsoleUnderTest;
let url: string;

beforeAll(async () => {
  tested = await startConsole();
  url = tested.url;
});

afterAll(() => tested?.close());

describe("the playground", () => {
  it("streams an answer with its tool call and leads to the recorded run", async () => {
    const { page, faults } = await open("/playground?agent=support");

    await ask(page, "Where is ORD-7?");

    const answer = page.getByRole("article");
    await answer.getByText("Order ORD-7 is on its way.").waitFor();
    await answer.getByText("Completed").waitFor();
    await answer.getByText("get_order_status").click();
    await answer.getByText('"orderId": "ORD-7"').waitFor();
    await answer.getByRole("link", { name: "Open run" }).click();
    await page.getByRole("list", { name: "Timeline" }).waitFor();
    expect(
      await page.getByRole("list", { name: "Timeline" }).getByRole("button").allInnerTexts(),
    ).toEqual(["Run", "Model call 1", "get_order_status", "Model call 2"]);
    expectNoFaults(faults);
  });

  it("stops a run at once and says that it was stopped", async () => {
    const { page, faults } = await open("/playground?agent=slow");

    await ask(page, "Go on for a while");
    await page.getByText("word by word").first().waitFor();
    await page.getByRole("button", { name: "Stop" }).click();

    await page.getByRole("article").getByText("Canceled").waitFor();
    expectNoFaults(faults);
  });

  it("never turns what a model wrote into markup", async () => {
    const { page, faults } = await open("/playground?agent=hostile");

    await ask(page, "Be nice");

    const answer = page.getByRole("article");
    await answer.getByText("bold", { exact: true }).waitFor();
    expect(await answer.locator("script, img, [onerror]").count()).toBe(0);
    expect(await answer.locator('a[href^="javascript" i]').count()).toBe(0);
    expect(await page.title()).not.toBe("owned");
    expectNoFaults(faults);
  });

  it("says what failed without the provider's own words", async () => {
    const { page } = await open("/playground?agent=broken");

    await ask(page, "Hello");

    await page.getByRole("article").getByText("could not be reached").first().waitFor();
    expect(await page.getByText("secret of the provider").count()).toBe(0);
  });
});

describe("runs", () => {
  it("shows a run while it goes on, until it is cancelled there", async () => {
    const { page, faults } = await open("/playground?agent=slow");
    await ask(page, "Take your time");
    await page.getByRole("article").getByRole("link", { name: "Open run" }).click();
    await page.getByRole("status").filter({ hasText: "Running" }).waitFor();

    await page.getByRole("button", { name: "Cancel run" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel run" }).click();

    await page.getByRole("status").filter({ hasText: "Canceled" }).waitFor();
    expectNoFaults(faults);
  });

  it("shows what the run's tree may spend, and what of it is spent", async () => {
    const { page, faults } = await open("/playground?agent=support");
    await ask(page, "Where is ORD-9?");
    await page.getByRole("article").getByText("Completed").waitFor();
    await page.getByRole("article").getByRole("link", { name: "Open run" }).click();

    const inspector = page.getByRole("complementary", { name: "Inspector" });
    await inspector.getByText(/^\d+ of 200 k$/).waitFor();
    await inspector.getByText("0 of 25").waitFor();
    expectNoFaults(faults);
  });

  it("finds runs by status and opens them with the keyboard alone", async () => {
    const { page, faults } = await open("/playground?agent=support");
    await ask(page, "Where is ORD-1?");
    await page.getByRole("article").getByText("Completed").waitFor();

    await page.getByRole("link", { name: "Runs", exact: true }).click();
    await page.getByRole("combobox", { name: "Status" }).selectOption("Completed");
    await page
      .getByRole("row", { name: /Completed support/ })
      .first()
      .waitFor();
    await page.getByRole("heading", { name: "Runs", level: 1 }).click();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");

    await page.getByRole("list", { name: "Timeline" }).waitFor();
    expectNoFaults(faults);
  });
});

describe("agents", () => {
  it("creates, changes and rolls back a definition, showing the difference each time", async () => {
    const { page, faults } = await open("/new-agent?view=json");
    const name = "made-in-the-console";

    await writeDefinition(page, definition(name, "First."));
    await save(page);
    await page.getByRole("heading", { name, level: 1 }).waitFor();
    await page.goto(`${url}/agents/${name}/edit?view=json`);
    await writeDefinition(page, definition(name, "Second."));
    await save(page);
    await page.goto(`${url}/agents/${name}?view=versions`);
    await page
      .getByRole("button", { name: /Roll back/ })
      .first()
      .click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /Roll back/ })
      .click();

    await expect
      .poll(async () => {
        const answer = await fetch(`${url}/api/agents/${name}`);
        const { definition: current } = (await answer.json()) as {
          definition: { version: number; instructions: string };
        };
        return [current.version, current.instructions];
      })
      .toEqual([3, "First."]);
    expectNoFaults(faults);
  });
});

describe("deleting an agent", () => {
  it("takes the version that was shown, and none saved since", async () => {
    const name = "to-be-deleted";
    const put = (text: string) =>
      tracon(url).json("PUT", `/api/agents/${name}`, definition(name, text));
    await put("One.");
    const { page, faults } = await open(`/agents/${name}`);
    const dialog = page.getByRole("dialog", { name: `Delete ${name}?` });
    const press = async () => dialog.getByRole("button", { name: "Delete agent" }).click();

    await page.getByRole("button", { name: "Delete", exact: true }).click();
    expect(await axeViolations(page)).toEqual([]);
    await takeScreenshot(page, "agent-delete");
    await put("Two.");
    await press();
    await page.getByText("Nothing was deleted").waitFor();
    await page.getByText("v2", { exact: true }).first().waitFor();
    const kept = await tracon(url).json("GET", `/api/agents/${name}`);
    // The refusal itself is an answer that a browser reports.
    expect(faults.errors.filter((it) => !it.includes("412"))).toEqual([]);
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await press();
    await page.getByRole("heading", { name: "Agents", level: 1 }).waitFor();

    expect(kept.body.definition).toMatchObject({ version: 2, instructions: "Two." });
    expect((await tracon(url).json("GET", `/api/agents/${name}`)).status).toBe(404);
  });
});

describe("the first load", () => {
  it.each(["/", "/runs", "/approvals"])(
    "of %s stays below its limit and leaves the editors out",
    async (path) => {
      const { page } = await open(path);

      await page.reload({ waitUntil: "networkidle" });
      const loaded = await page.evaluate(() =>
        performance
          .getEntriesByType("resource")
          .map(({ name }) => name)
          .filter((it) => /\.(?:js|css)$/.test(it)),
      );
      const sizes = await Promise.all(
        loaded.map(async (it) => gzipSync(await (await fetch(it)).bytes()).length),
      );

      expect(loaded.length).toBeGreaterThan(0);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(FIRST_LOAD_BYTES);
      expect(loaded.filter((it) => it.includes("editor"))).toEqual([]);
    },
  );
});

describe("another prefix", () => {
  it("serves the console there, deep links included", async () => {
    const config = fileURLToPath(new URL("./prefixed.config.ts", import.meta.url));
    const other = startCli(["serve", "--config", config, "--port", "0", "--storage", "memory:"]);
    try {
      const address = await other.url();
      const { page, faults } = await openPage(tested.browser, new URL(address).origin);

      await page.goto(`${address}/agents`);

      await page.getByRole("heading", { name: "Agents", level: 1 }).waitFor();
      expect(new URL(address).pathname).toBe("/ops/agents-of-ours");
      expectNoFaults(faults);
    } finally {
      other.kill("SIGTERM");
      await other.exited;
    }
  });
});

const open: ConsoleUnderTest["open"] = (path, options) => tested.open(path, options);

const definition = (name: string, instructions: string) => ({
  name,
  instructions,
  model: { provider: "demo", model: "support" },
});

async function writeDefinition(page: Page, value: unknown): Promise<void> {
  await page
    .getByRole("textbox", { name: "Definition as JSON" })
    .fill(JSON.stringify(value, null, 2));
}

async function save(page: Page): Promise<void> {
  const label = /^(?:Save new version|Create agent)$/;
  await page.getByRole("button", { name: label }).click();
  await page.getByRole("dialog").getByRole("button", { name: label }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
}
