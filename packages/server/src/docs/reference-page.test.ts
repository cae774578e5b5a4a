import { createHash } from "node:crypto";
import { errorCodes, findingCodes } from "@tracon/core";
import { expect, it } from "vitest";
import { openApiDocument } from "../openapi/document.ts";
import { routes } from "../routes/index.ts";
import { testServer } from "../testing/test-server.ts";
import { html, prose } from "./html.ts";
import { createReferencePage } from "./reference-page.ts";

const document = openApiDocument({ prefix: "/tracon", version: "0.1.0" });

it("shows every operation", async () => {
  const response = await testServer().ask("/tracon/docs");

  const page = await response.text();
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  for (const { operationId, summary } of routes) {
    expect(page).toContain(`id="${operationId}"`);
    expect(page).toContain(summary);
  }
});

it("has a place for every error code, where problem types point", async () => {
  const page = await createReferencePage(document)().text();

  for (const code of Object.keys(errorCodes)) expect(page).toContain(`id="${code}"`);
  for (const code of Object.keys(findingCodes)) expect(page).toContain(`id="finding-${code}"`);
});

it("links to nothing that is not on it", async () => {
  const page = await createReferencePage(document)().text();

  const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  const targets = [...page.matchAll(/ href="([^"]+)"/g)].map(([, target = ""]) => target);
  expect(targets.filter((it) => !it.startsWith("#") || !ids.has(it.slice(1)))).toEqual([]);
  expect(ids.size).toBe([...page.matchAll(/ id="/g)].length);
});

it("is allowed its own style and nothing else", async () => {
  const response = createReferencePage(document)();

  const page = await response.text();
  const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? "";
  const hash = createHash("sha256").update(style).digest("base64");
  const policy = response.headers.get("content-security-policy");
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain(`style-src 'sha256-${hash}'`);
  expect(policy).not.toContain("unsafe");
  expect(page).not.toMatch(/<script|<link|<img|style="|https?:\/\//);
});

it("escapes whatever a document says", async () => {
  const hostile = '</style><script>alert("x")</script>`<b>`';
  const info = { ...document.info, description: hostile, version: hostile };

  const page = await createReferencePage({ ...document, info })().text();

  expect(page).not.toContain("<script>");
  expect(page).not.toContain("<b>");
  expect(page).toContain("&lt;script&gt;");
});

it("escapes values but not markup", () => {
  const inner = html`<b>${`a & "b" <c> 'd'`}</b>`;

  expect(html`<p title="${'"'}">${[inner, 1, undefined]}</p>`.markup).toBe(
    '<p title="&quot;"><b>a &amp; &quot;b&quot; &lt;c&gt; &#39;d&#39;</b>1</p>',
  );
  expect(prose("a `<b>` c").markup).toBe("a <code>&lt;b&gt;</code> c");
});
