/** The reference page: the OpenAPI document as one HTML page that needs nothing else. */

import { createHash } from "node:crypto";
import { errorCodes, findingCodes } from "@tracon/core";
import type {
  OpenApiContent,
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiResponse,
} from "../openapi/document.ts";
import { statusByCode } from "../status.ts";
import { type Html, html, prose } from "./html.ts";
import { membersTable, notesOf, typeLabel } from "./schema-view.ts";
import { STYLE } from "./style.ts";

type Operation = OpenApiOperation & { readonly method: string; readonly path: string };

/** Renders once; every call of the result is a new response of the same page. */
export function createReferencePage(document: OpenApiDocument): () => Response {
  const body = new TextEncoder().encode(pageOf(document).markup);
  const styleHash = createHash("sha256").update(STYLE).digest("base64");
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-cache",
    "content-security-policy": `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
  };
  return () => new Response(body, { headers });
}

function pageOf(document: OpenApiDocument): Html {
  const operations = operationsOf(document);
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tracon API</title><style>${{ markup: STYLE }}</style></head>
<body>${navigation(document, operations)}<main>
<h1>Tracon API</h1>
<p class="dim">Version ${document.info.version}, below <code>${document.servers[0]?.url}</code>.</p>
<p>${prose(document.info.description)}</p>
${document.tags.map(
  (tag) => html`<section id="tag-${tag.name}"><h2>${tag.name}</h2><p>${tag.description}</p>
${operations.filter((it) => it.tags.includes(tag.name)).map(operationView)}</section>`,
)}
${schemasView(document)}${codesView()}
</main></body></html>`;
}

const operationsOf = ({ paths }: OpenApiDocument): readonly Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  );

const navigation = ({ tags }: OpenApiDocument, operations: readonly Operation[]): Html =>
  html`<nav aria-label="Reference">${tags.map(
    (tag) =>
      html`<a href="#tag-${tag.name}"><strong>${tag.name}</strong></a><ul>${operations
        .filter((it) => it.tags.includes(tag.name))
        .map((it) => html`<li><a href="#${it.operationId}">${it.summary}</a></li>`)}</ul>`,
  )}<ul><li><a href="#schemas">Schemas</a></li><li><a href="#errors">Errors</a></li>
<li><a href="#findings">Findings</a></li></ul></nav>`;

function operationView(operation: Operation): Html {
  const { description, requestBody, parameters } = operation;
  return html`<article id="${operation.operationId}"><h3>${operation.summary}</h3>
<code class="path"><span class="method">${operation.method}</span> ${operation.path}</code>
${description && html`<p>${prose(description)}</p>`}
${parametersView(parameters)}
${requestBody && html`<h4>Body</h4>${contentView(requestBody.content)}`}
${Object.entries(operation.responses).map(([status, response]) => responseView(status, response))}
</article>`;
}

function parametersView(parameters: readonly OpenApiParameter[]): Html | undefined {
  if (parameters.length === 0) return undefined;
  return html`<h4>Parameters</h4><table><thead><tr><th>Name</th><th>In</th><th>Type</th><th>Notes</th>
</tr></thead><tbody>${parameters.map(
    (it) => html`<tr><td><code>${it.name}</code></td><td>${it.in}</td>
<td>${typeLabel(it.schema)}${it.required ? "" : html` <span class="dim">optional</span>`}</td>
<td>${it.description && prose(`${it.description} `)}${notesOf(it.schema)}</td></tr>`,
  )}</tbody></table>`;
}

function responseView(status: string, { description, content = {} }: OpenApiResponse): Html {
  const forms = Object.hasOwn(content, "application/problem+json") ? undefined : content;
  return html`<h4>${status}</h4><p>${prose(description)}</p>${forms && contentView(forms)}`;
}

const contentView = (content: OpenApiContent): readonly Html[] =>
  Object.entries(content).map(
    ([
      mediaType,
      { schema = {}, example },
    ]) => html`<p><code>${mediaType}</code> ${typeLabel(schema)}</p>
<details><summary>example</summary><pre tabindex="0">${
      typeof example === "string" ? example : JSON.stringify(example, undefined, 2)
    }</pre></details>`,
  );

const schemasView = ({ components }: OpenApiDocument): Html =>
  html`<section id="schemas"><h2>Schemas</h2>${Object.entries(components.schemas).map(
    ([name, schema]) =>
      html`<article id="schema-${name}"><h3>${name}</h3>${membersTable(schema)}</article>`,
  )}</section>`;

/** Problem types point at these rows. */
function codesView(): Html {
  const errors = Object.entries(errorCodes) as [keyof typeof errorCodes, string][];
  return html`<section id="errors"><h2>Errors</h2>
<table><thead><tr><th>Code</th><th>Status</th><th>Meaning</th></tr></thead><tbody>${errors.map(
    ([code, meaning]) => html`<tr id="${code}"><td><code>${code}</code></td>
<td>${statusByCode[code]}</td><td>${meaning}</td></tr>`,
  )}</tbody></table></section>
<section id="findings"><h2>Findings</h2>
<table><thead><tr><th>Code</th><th>Meaning</th></tr></thead><tbody>${Object.entries(
    findingCodes,
  ).map(
    ([code, meaning]) => html`<tr id="finding-${code}"><td><code>${code}</code></td>
<td>${meaning}</td></tr>`,
  )}</tbody></table></section>`;
}
