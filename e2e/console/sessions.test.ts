import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ConsoleUnderTest, startConsole } from "./console-under-test.ts";
import { ask, expectNoFaults } from "./page-steps.ts";

let tested: ConsoleUnderTest;

beforeAll(async () => {
  tested = await startConsole();
});

afterAll(() => tested?.close());

it("keeps what is said in the playground as a session, and reads it back with its tool calls", async () => {
  const { page, faults } = await tested.open("/playground?agent=support");

  await askAndWait(page, "Where is ORD-7?", "Order ORD-7 is on its way.");
  await askAndWait(page, "Where is ORD-8?", "Order ORD-8 is on its way.");
  const sessionId = sessionOf(page);
  await page.getByRole("link", { name: "Sessions", exact: true }).click();
  await page.getByRole("link", { name: sessionId }).click();

  const conversation = page.getByRole("list", { name: "Conversation" });
  await conversation.getByText("Order ORD-8 is on its way.").waitFor();
  expect(await conversation.getByText("get_order_status").count()).toBe(2);
  await conversation.getByText("get_order_status").first().click();
  await conversation.getByText('"orderId": "ORD-7"').waitFor();
  await conversation.getByText('"status": "on its way"').first().waitFor();
  expectNoFaults(faults);
});

it("goes on with a session after the page is opened anew", async () => {
  const { page, faults } = await tested.open("/playground?agent=support");
  await askAndWait(page, "Where is ORD-1?", "Order ORD-1 is on its way.");

  await page.reload();
  await page.getByRole("list", { name: "Conversation" }).getByText("ORD-1 is on its way").waitFor();
  await askAndWait(page, "Where is ORD-2?", "Order ORD-2 is on its way.");

  expect(await messageCount(sessionOf(page))).toBe(8);
  expectNoFaults(faults);
});

it("branches after a message and leaves the session as it was", async () => {
  const { page, faults } = await tested.open("/playground?agent=support");
  await askAndWait(page, "Where is ORD-3?", "Order ORD-3 is on its way.");
  await askAndWait(page, "Where is ORD-4?", "Order ORD-4 is on its way.");
  const sessionId = sessionOf(page);
  await page.goto(`${tested.url}/sessions/${sessionId}`);

  await page.getByRole("button", { name: "Branch after message 4" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Branch" }).click();

  await page.getByText("after message 4").waitFor();
  const conversation = page.getByRole("list", { name: "Conversation" });
  await conversation.getByText("Order ORD-3 is on its way.").waitFor();
  expect(await conversation.getByText("ORD-4").count()).toBe(0);
  expect(await messageCount(sessionId)).toBe(8);
  expectNoFaults(faults);
});

it("deletes a session after asking once", async () => {
  const { page, faults } = await tested.open("/playground?agent=support");
  await askAndWait(page, "Where is ORD-5?", "Order ORD-5 is on its way.");
  const sessionId = sessionOf(page);
  await page.goto(`${tested.url}/sessions/${sessionId}`);

  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();

  await page.getByRole("heading", { name: "Sessions", level: 1 }).waitFor();
  expect((await fetch(`${tested.url}/api/sessions/${sessionId}`)).status).toBe(404);
  expectNoFaults(faults);
});

it("runs without a session when told to", async () => {
  const { page, faults } = await tested.open("/playground?agent=support");
  await page.getByRole("combobox", { name: "Session" }).selectOption("Without a session");

  await askAndWait(page, "Where is ORD-6?", "Order ORD-6 is on its way.");

  expect(new URL(page.url()).searchParams.get("session")).toBeNull();
  const runs = (await (await fetch(`${tested.url}/api/runs?take=1`)).json()) as object[];
  expect(runs[0]).not.toHaveProperty("sessionId");
  expectNoFaults(faults);
});

async function askAndWait(page: Page, question: string, answer: string): Promise<void> {
  await ask(page, question);
  const turn = page.getByRole("article", { name: question });
  await turn.getByText(answer).waitFor();
  await turn.getByText("Completed").waitFor();
}

const sessionOf = (page: Page): string => new URL(page.url()).searchParams.get("session") ?? "";

async function messageCount(sessionId: string): Promise<number> {
  const answer = await fetch(`${tested.url}/api/sessions/${sessionId}`);
  return ((await answer.json()) as { messages: unknown[] }).messages.length;
}
