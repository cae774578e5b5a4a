import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ConsoleUnderTest, startConsole } from "./console-under-test.ts";
import { ask, expectNoFaults } from "./page-steps.ts";

let tested: ConsoleUnderTest;

beforeAll(async () => {
  tested = await startConsole();
});

afterAll(() => tested?.close());

/** Each test finds the mailbox as if it were the first. */
beforeEach(async () => {
  for (const { id } of await pending()) await decide(id, { approved: false });
});

describe("the mailbox", () => {
  it("approves a call by keyboard alone, and the run goes on once", async () => {
    await stopRun("Refund ORD-21");
    const { page, faults } = await tested.open("/approvals");

    const card = page.getByRole("article", { name: "Approval of refund" });
    await card.getByText("Refund 12.5 EUR for ORD-21").waitFor();
    await card.getByText("cannot be undone").waitFor();
    await card.getByText("Refund ORD-21", { exact: true }).waitFor();
    await page.keyboard.press("a");
    await page.getByRole("dialog", { name: "Approve refund?" }).waitFor();
    await page.keyboard.press("Enter");

    await page.getByText("Nothing waits now.").waitFor();
    await page.getByRole("link", { name: "refund" }).click();
    await card.getByText(/Approved after/).waitFor();
    await card.getByRole("link", { name: "Open the run that goes on" }).click();
    await page
      .getByRole("list", { name: "Timeline" })
      .getByText("refund", { exact: true })
      .waitFor();
    await page.getByRole("status").filter({ hasText: "Completed" }).waitFor();
    expectNoFaults(faults);
  });

  it("declines with a reason that the agent reads", async () => {
    const runId = await stopRun("Refund ORD-22");
    const { page, faults } = await tested.open("/approvals");

    await page.getByRole("article").getByRole("button", { name: "Decline" }).click();
    await page.getByRole("textbox", { name: /Reason/ }).fill("not this month");
    await page.keyboard.press("Enter");
    await page.getByText("Nothing waits now.").waitFor();

    const continuation = await continuationOf(runId);
    const tools = await json(`/api/runs/${continuation}/tools`);
    expect(JSON.stringify(tools)).toContain("not this month");
    expectNoFaults(faults);
  });

  it("counts what waits in the rail and decides many at once", async () => {
    await stopRun("Refund ORD-23");
    await stopRun("Refund ORD-24");
    await stopRun("Refund ORD-25");
    const { page, faults } = await tested.open("/approvals");

    await page.getByRole("link", { name: "Approvals 3 waiting" }).waitFor();
    await page.getByText("ORD-23").first().waitFor();
    await page.keyboard.press("x");
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.getByText("2 selected").waitFor();
    await page.keyboard.press("a");
    await page.getByRole("dialog", { name: "Approve 2 calls?" }).waitFor();
    await page.keyboard.press("Enter");

    await page.getByText("Approved: 2 calls").waitFor();
    expect((await pending()).length).toBe(1);
    expectNoFaults(faults);
  });

  it("shows how somebody else decided who was faster", async () => {
    const runId = await stopRun("Refund ORD-26");
    const { page } = await tested.open("/approvals");
    const card = page.getByRole("article", { name: "Approval of refund" });
    await card.getByRole("button", { name: "Approve" }).click();
    await page.getByRole("dialog").waitFor();
    const [waiting] = (await pending()).filter((it) => it.runId === runId);

    await decide(waiting!.id, { approved: false, reason: "I was here first" });
    await page.getByRole("dialog").getByRole("button", { name: "Approve refund" }).click();

    await page.getByText(/Not approved: /).waitFor();
    await card.getByText(/Declined after/).waitFor();
    await card.getByText("I was here first").waitFor();
  });

  it("remembers equal arguments when asked to, and asks again once the rule is revoked", async () => {
    await stopRun("Refund ORD-27");
    const { page, faults } = await tested.open("/approvals");
    await page.getByRole("article").getByRole("button", { name: "Approve" }).click();
    await page.getByRole("radio", { name: "Do not ask for these very arguments" }).check();
    await page.getByRole("dialog").getByRole("button", { name: "Approve refund" }).click();
    await page.getByText("Nothing waits now.").waitFor();

    expect((await runRefund("Refund ORD-27")).status).toBe("Completed");
    await page.getByRole("tab", { name: "Standing rules" }).click();
    await page.getByText("the arguments are the very same").waitFor();
    await page.getByRole("button", { name: "Revoke the rule for refund" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await page.getByText("No standing rules").waitFor();

    expect((await runRefund("Refund ORD-27")).status).toBe("AwaitingApproval");
    expectNoFaults(faults);
  });

  it("says what to do when nothing waits", async () => {
    const { page, faults } = await tested.open("/approvals");

    await page.getByRole("heading", { name: "Nothing waits for a decision" }).waitFor();
    await page.getByText("requiresApproval: true").waitFor();
    expectNoFaults(faults);
  });
});

describe("a run that stops", () => {
  it("is decided in the playground where it came up, and goes on there", async () => {
    const { page, faults } = await tested.open("/playground?agent=refunds");

    await ask(page, "Refund ORD-31");
    const prompt = page.getByRole("region", { name: "Decide refund" });
    await prompt.getByText("Refund 12.5 EUR for ORD-31").waitFor();
    await prompt.getByRole("button", { name: "Approve" }).click();

    const goesOn = page.getByRole("article", { name: "Approved refund" });
    await goesOn.getByText("Done with ORD-31.").waitFor();
    await goesOn.getByText("Completed").waitFor();
    expectNoFaults(faults);
  });

  it("is declined in the playground, and the agent says so", async () => {
    const { page, faults } = await tested.open("/playground?agent=refunds");

    await ask(page, "Refund ORD-32");
    const prompt = page.getByRole("region", { name: "Decide refund" });
    await prompt.getByRole("textbox", { name: "Reason to decline refund" }).fill("too late");
    await prompt.getByRole("button", { name: "Decline" }).click();

    const goesOn = page.getByRole("article", { name: "Declined refund" });
    await goesOn.getByText("Completed").waitFor();
    await goesOn.getByText("refund", { exact: true }).click();
    await goesOn.getByText("too late").first().waitFor();
    expectNoFaults(faults);
  });

  it("tells in its timeline what it waits for, and then how that was decided", async () => {
    const runId = await stopRun("Refund ORD-33");
    const { page, faults } = await tested.open(`/runs/${runId}`);
    const timeline = page.getByRole("list", { name: "Timeline" });
    await timeline.getByText("refund: waits for a decision").waitFor();
    await page.getByText("Waits for a decision on refund.").waitFor();

    const [waiting] = (await pending()).filter((it) => it.runId === runId);
    await decide(waiting!.id, { approved: true });

    await timeline.getByText(/refund: approved after/).waitFor();
    await page.getByRole("link", { name: "Open the run that goes on" }).waitFor();
    expectNoFaults(faults);
  });
});

type Waiting = { readonly id: string; readonly runId: string };

const json = async (path: string): Promise<unknown> =>
  (await fetch(`${tested.url}${path}`, { headers: { accept: "application/json" } })).json();

const pending = () => json("/api/approvals/pending?take=200") as Promise<readonly Waiting[]>;

const post = (path: string, body: unknown): Promise<Response> =>
  fetch(`${tested.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify(body),
  });

const decide = (id: string, decision: { readonly approved: boolean; readonly reason?: string }) =>
  post(`/api/approvals/${id}/decide`, decision);

async function runRefund(message: string) {
  const answer = await post("/api/agents/refunds/run", { message });
  return (await answer.json()) as { readonly runId: string; readonly status: string };
}

/** A run that has stopped for an approval. */
async function stopRun(message: string): Promise<string> {
  const { runId, status } = await runRefund(message);
  expect(status).toBe("AwaitingApproval");
  return runId;
}

/** The run that went on after `runId`, once it has ended. */
async function continuationOf(runId: string): Promise<string> {
  let found: { readonly id: string } | undefined;
  await expect
    .poll(async () => {
      const runs = (await json("/api/runs?take=200")) as readonly {
        readonly id: string;
        readonly status: string;
        readonly continuedFromRunId?: string;
      }[];
      found = runs.find((run) => run.continuedFromRunId === runId && run.status === "Completed");
      return found;
    })
    .toBeDefined();
  return found?.id ?? "";
}
