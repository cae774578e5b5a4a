import { afterAll, beforeAll, expect, it } from "vitest";
import { axeViolations } from "./axe.ts";
import { type ConsoleUnderTest, startConsole } from "./console-under-test.ts";
import { expectNoFaults } from "./page-steps.ts";

let tested: ConsoleUnderTest;

beforeAll(async () => {
  tested = await startConsole();
});

afterAll(() => tested?.close());

it("leads to the playground before anything has run", async () => {
  const { page, faults } = await tested.open("/");

  await page.getByRole("heading", { name: "No runs yet" }).waitFor();
  await page.getByRole("link", { name: "Open the playground" }).click();
  await page.getByRole("heading", { name: "Playground", level: 1 }).waitFor();
  expectNoFaults(faults);
});

it("counts what failed and what it cost, and leads to those runs", async () => {
  await run("support", "Where is ORD-1?");
  await run("support", "Where is ORD-2?");
  await run("broken", "Hello");
  const { page, faults } = await tested.open("/");

  const trouble = page.getByRole("region", { name: "Is anything wrong?" });
  await trouble.getByText("33.3 %").waitFor();
  await trouble.getByText("ProviderUnavailable").waitFor();
  const cost = page.getByRole("region", { name: "What does it cost?" });
  await cost
    .getByText(/^\$0\.000\d+$/)
    .first()
    .waitFor();
  await page.getByRole("region", { name: "Nothing waits for you" }).waitFor();
  await page.locator(".u-wrap canvas").nth(1).waitFor();
  expect(await axeViolations(page)).toEqual([]);

  await trouble.getByRole("link", { name: /could not be reached/ }).click();
  await page.getByRole("heading", { name: "broken", level: 1 }).waitFor();
  await page.goBack();
  await trouble.getByRole("link", { name: "1", exact: true }).click();
  await page.getByRole("row", { name: /Failed broken/ }).waitFor();
  expect(await page.getByRole("row", { name: /support/ }).count()).toBe(0);
  expectNoFaults(faults);
});

it("says that a cost is not known instead of calling it nothing", async () => {
  await run("hostile", "Hello");
  const { page, faults } = await tested.open("/");

  const cost = page.getByRole("region", { name: "What does it cost?" });
  await cost.getByText(/without \d+ runs? of unknown price/).waitFor();
  await cost.getByRole("row", { name: /hostile .* unknown/ }).waitFor();
  expectNoFaults(faults);
});

it("says what waits for a decision", async () => {
  await run("refunds", "Refund ORD-9");
  const { page, faults } = await tested.open("/");

  const waiting = page.getByRole("region", { name: "What waits for me?" });
  await waiting.getByText("Refund 12.5 EUR for ORD-9").waitFor();
  await waiting.getByRole("link", { name: "refund" }).click();
  await page.getByRole("article", { name: "Approval of refund" }).waitFor();
  expectNoFaults(faults);
});

async function run(agent: string, message: string): Promise<void> {
  await fetch(`${tested.url}/api/agents/${agent}/run`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ message }),
  });
}
