/** What the tests of the editor do again and again, against the server they test. */

import type { Page } from "playwright-core";
import { expect } from "vitest";
import { tracon } from "../kit/tracon-api.ts";
import { editorText } from "./editor-text.ts";

export type NamedDefinition = Readonly<Record<string, unknown>> & { readonly name: string };

export type EditorSteps = {
  readonly create: (definition: NamedDefinition) => Promise<void>;
  /** Saves a version, the first or a further one. */
  readonly put: (definition: NamedDefinition) => Promise<void>;
  /** The definition as it is saved. */
  readonly current: (name: string) => Promise<Record<string, unknown>>;
};

export function editorSteps(url: () => string): EditorSteps {
  const send = async (method: string, path: string, definition: NamedDefinition) => {
    const { status, body } = await tracon(url()).json(method, path, definition);
    expect(status, JSON.stringify(body)).toBeLessThan(300);
  };
  return {
    create: (definition) => send("POST", "/api/agents", definition),
    put: (definition) => send("PUT", `/api/agents/${definition.name}`, definition),
    current: async (name) =>
      (await tracon(url()).json("GET", `/api/agents/${name}`)).body.definition,
  };
}

/** Opens a section of the form. */
export const openSection = (page: Page, title: string): Promise<void> =>
  page.locator("summary").filter({ hasText: title }).first().click();

/** The definition as the editor holds it, saved or not; the form is shown again. */
export async function edited(page: Page): Promise<Record<string, unknown>> {
  await page.getByRole("tab", { name: "JSON" }).click();
  const text = await editorText(page.getByRole("textbox", { name: "Definition as JSON" }));
  await page.getByRole("tab", { name: "Form" }).click();
  return JSON.parse(text);
}

export async function save(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Save new version" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Save new version" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.waitForURL((it) => !it.pathname.endsWith("/edit"));
}
