import { agentDefinitionRequestSchema } from "@tracon/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type DefinitionDocument,
  draftOf,
  editDraft,
  editMember,
  editSparsely,
  editText,
  isChanged,
  openDocument,
  putMember,
  textOf,
  unreadable,
} from "./definition-document.ts";
import type { JsonObject, Path } from "./json-path.ts";

const CONTENT = {
  name: "full",
  description: "",
  model: { provider: "p", model: "m", temperature: 0.3, providerSettings: { "p.x": null } },
  toolNames: [],
  harness: { disableCompaction: true, loop: { criteria: [{ kind: "own", marker: "kept" }] } },
  metadata: { nested: { list: [1, null, "x"] } },
};

describe("an edit", () => {
  it("changes its own member of any definition and no other", () => {
    const text = fc.string({ minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(definitions(), text, (content, description) => {
        const after = editMember(openDocument(content), ["description"], description);

        expect(after.content).toEqual({ ...content, description });
        expect(JSON.parse(after.text)).toEqual(after.content);
      }),
    );
  });

  it.each<[Path, unknown]>([
    [["displayName"], ""],
    [["memory"], undefined],
    [["skillNames"], []],
    [["workspace", "readOnly"], false],
    [["model", "topP"], undefined],
  ])("that empties %j again leaves no trace", (path, empty) => {
    const filled = putMember(openDocument(CONTENT), ["workspace"], {});
    const start = path[0] === "workspace" ? openDocument(filled.content) : openDocument(CONTENT);

    const after = editMember(editMember(start, path, "something"), path, empty);

    expect(isChanged(editMember(start, path, "something"))).toBe(true);
    expect(isChanged(after)).toBe(false);
  });

  it("takes settings that were made for a member away with it, and none that were there", () => {
    const set = (document: DefinitionDocument) =>
      editSparsely(document, ["subAgents", "callMode"], "Tool");
    const unset = (document: DefinitionDocument) =>
      editSparsely(document, ["subAgents", "callMode"], undefined);
    const before = openDocument({ ...CONTENT, subAgents: {} });

    expect(unset(set(openDocument(CONTENT))).content).toEqual(CONTENT);
    expect(unset(set(before)).content).toEqual({ ...CONTENT, subAgents: {} });
  });

  it("keeps an empty text or list that was there", () => {
    const document = openDocument(CONTENT);

    const after = editMember(editMember(document, ["description"], "x"), ["description"], "");

    expect(after.content).toEqual(CONTENT);
    expect(editMember(document, ["toolNames"], []).content).toEqual(CONTENT);
  });

  it("keeps an item of a list in its place while it is empty", () => {
    const document = editMember(openDocument({ skillNames: ["a", "b"] }), ["skillNames", 0], "");

    expect(document.content).toEqual({ skillNames: ["", "b"] });
  });
});

describe("the text", () => {
  it("is the same document: either may be edited", () => {
    const document = editText(openDocument(CONTENT), '{"name":  "other", "extra": [1]}');

    expect(document.content).toEqual({ name: "other", extra: [1] });
    expect(document.text).toBe('{"name":  "other", "extra": [1]}');
    expect(editMember(document, ["name"], "third").text).toBe(
      textOf({ name: "third", extra: [1] }),
    );
  });

  it.each(["{", "[]", "1", "null", ""])("%j is kept as typed and is a finding", (text) => {
    const document = editText(openDocument(CONTENT), text);

    expect(document.text).toBe(text);
    expect(document.content).toBe(document.baseline);
    expect(unreadable(document)).toMatchObject([{ path: "", severity: "Error" }]);
    expect(unreadable(editText(document, "{}"))).toEqual([]);
  });
});

describe("a member edited as JSON", () => {
  const path = ["metadata"];

  it("is shown as it is typed", () => {
    const document = editDraft(openDocument(CONTENT), path, '{"a":1 }');

    expect(document.content.metadata).toEqual({ a: 1 });
    expect(draftOf(document, path)).toBe('{"a":1 }');
  });

  it("that cannot be read changes nothing and is a finding at its place", () => {
    const document = editDraft(openDocument(CONTENT), path, '{"a":');

    expect(document.content).toBe(document.baseline);
    expect(draftOf(document, path)).toBe('{"a":');
    expect(unreadable(document)).toMatchObject([{ path: "metadata" }]);
  });

  it("follows the text of the whole when that changes it", () => {
    const typed = editDraft(openDocument(CONTENT), path, '{"a":');

    const untouched = editText(typed, textOf({ ...CONTENT, description: "x" }));
    const replaced = editText(typed, textOf({ ...CONTENT, metadata: { b: 2 } }));

    expect(draftOf(untouched, path)).toBe('{"a":');
    expect(draftOf(replaced, path)).toBe(textOf({ b: 2 }));
    expect(unreadable(replaced)).toEqual([]);
  });

  it("is removed when nothing is typed", () => {
    const document: DefinitionDocument = editDraft(openDocument(CONTENT), path, " ");

    expect(document.content).not.toHaveProperty("metadata");
  });
});

/** Definitions with any members of core's schema, each holding any JSON. */
function definitions(): fc.Arbitrary<JsonObject> {
  const read = agentDefinitionRequestSchema.parse({
    name: "a",
    model: { provider: "p", model: "m" },
  });
  const members = [
    ...Object.keys(read),
    "harness",
    "compaction",
    "memory",
    "workspace",
    "subAgents",
  ];
  return (
    fc
      .record(Object.fromEntries(members.map((name) => [name, fc.jsonValue({ maxDepth: 3 })])), {
        requiredKeys: ["name"],
      })
      // As the API answers it: -0 is a number of JavaScript and none of JSON.
      .map((it) => JSON.parse(JSON.stringify(it)) as JsonObject)
  );
}
