/** Shows a JSON Schema as a table of members. */

import type { JsonSchema } from "../openapi/components.ts";
import { type Html, html, prose } from "./html.ts";

/** Inline objects are unfolded this deep; none of ours is deeper. */
const MAX_DEPTH = 6;

/** The members of an object schema; nothing for any other. */
export function membersTable(schema: JsonSchema, depth = 0): Html | undefined {
  const properties = schema.properties as Record<string, JsonSchema> | undefined;
  if (properties === undefined || depth > MAX_DEPTH) return undefined;
  const required = new Set((schema.required as string[] | undefined) ?? []);
  const rows = Object.entries(properties).map(
    ([name, member]) => html`<tr>
<td><code>${name}</code></td>
<td>${typeLabel(member)}${required.has(name) ? "" : html` <span class="dim">optional</span>`}</td>
<td>${notesOf(member)}${innerMembers(member, depth)}</td>
</tr>`,
  );
  return html`<table><thead><tr><th>Member</th><th>Type</th><th>Notes</th></tr></thead>
<tbody>${rows}</tbody></table>`;
}

/** A schema in a few words, with a link when it has a name. */
export function typeLabel(schema: JsonSchema): Html {
  if (typeof schema.$ref === "string") {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1);
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  if (schema.type === "array")
    return html`list of ${typeLabel((schema.items ?? {}) as JsonSchema)}`;
  const options = optionsOf(schema);
  if (options !== undefined) {
    return html`${options.map((it, index) => [index === 0 ? "" : " or ", typeLabel(it)])}`;
  }
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  return html`${typeof schema.type === "string" ? schema.type : "any"}`;
}

const optionsOf = (schema: JsonSchema): readonly JsonSchema[] | undefined =>
  (schema.anyOf ?? schema.oneOf) as readonly JsonSchema[] | undefined;

const NOTED = ["format", "minimum", "maximum", "minLength", "maxLength", "maxItems", "default"];

/** The limits and the description of a schema. */
export function notesOf(schema: JsonSchema): Html {
  const notes = NOTED.filter((name) => schema[name] !== undefined).map(
    (name) => `${name} \`${JSON.stringify(schema[name])}\``,
  );
  if (Array.isArray(schema.enum)) {
    notes.unshift(`one of ${schema.enum.map((it) => `\`${it}\``).join(", ")}`);
  }
  return html`${prose(notes.join("; "))}`;
}

function innerMembers(schema: JsonSchema, depth: number): Html | undefined {
  const inner = (schema.type === "array" ? schema.items : schema) as JsonSchema | undefined;
  const table = inner === undefined ? undefined : membersTable(inner, depth + 1);
  return table && html`<details><summary>members</summary>${table}</details>`;
}
