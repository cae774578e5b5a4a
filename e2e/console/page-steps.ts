/** What people do on several screens. */

import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { PageFaults } from "../kit/browser.ts";

/** Writes a message in the playground and sends it. */
export async function ask(page: Page, message: string): Promise<void> {
  const box = page.getByRole("textbox", { name: "Message" });
  await box.fill(message);
  await box.press("Enter");
}

/** No script failed, the policy refused nothing, and nothing left the server's origin. */
export function expectNoFaults(faults: PageFaults): void {
  expect(faults).toEqual({ errors: [], foreign: [] });
}
