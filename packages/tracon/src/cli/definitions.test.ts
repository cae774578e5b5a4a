/** Export, import, diff and apply on a database. */

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import type { Terminal } from "./command.ts";
import { runCli } from "./run-cli.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

it("imports what Tracon for .NET wrote, exports it, and finds an import of that unchanged", async () => {
  const { tracon, write, read, list } = project();
  write("in/router.json", {
    Name: "router",
    Instructions: "Line one\nLine two",
    Model: { Provider: "demo", Model: "m", AllowConcurrentToolCalls: true },
    SharedInstructionsName: "rules",
    Version: 12,
  });
  write("in/rules.yaml", "name: rules\nmodel: { provider: demo, model: m }\n");

  const first = await tracon("import", "in", "--json");
  const exported = await tracon("export", "--out", "out");
  const again = await tracon("import", "out", "--json");

  expect(first.code).toBe(0);
  expect(JSON.parse(first.out)).toMatchObject({
    saved: [
      { name: "rules", version: 1, created: true },
      { name: "router", version: 1, created: true },
    ],
    notes: [{ file: "in/router.json", path: "model.allowConcurrentToolCalls" }],
  });
  expect(exported).toMatchObject({ code: 0, err: expect.stringContaining("skipped coded") });
  expect(list("out")).toEqual(["router.yaml", "rules.yaml"]);
  expect(read("out/router.yaml")).toContain("instructions: |-\n  Line one\n  Line two\n");
  expect(JSON.parse(again.out)).toMatchObject({
    saved: [],
    unchanged: ["rules", "router"],
  });
});

it("says everything that is wrong with several files and saves none", async () => {
  const { tracon, write } = project();
  write("in/good.json", agent("good"));
  write("in/no-json.json", "{");
  write("in/unknown.yaml", "name: u\nmodel: { provider: absent, model: m }\ntoolNames: [nope]\n");
  write("in/wrong.json", { ...agent("wrong"), temprature: 1, model: {}, toolNames: ["nope"] });
  write("in/coded.json", agent("coded"));
  write("in/twice.yml", "name: good\nmodel: { provider: demo, model: m }\n");

  const imported = await tracon("import", "in", "--json");
  const exported = await tracon("export", "--format", "json");

  const { findings, saved } = JSON.parse(imported.out) as { findings: Finding[]; saved: unknown[] };
  expect(imported.code).toBe(3);
  expect(saved).toEqual([]);
  expect(new Set(findings.map(({ file, path, code }) => `${file} ${path} ${code}`))).toEqual(
    new Set([
      "in/no-json.json  body_unreadable",
      "in/wrong.json model.provider member_missing",
      "in/wrong.json model.model member_missing",
      "in/wrong.json temprature unknown_member",
      "in/wrong.json toolNames[0] unknown_tool",
      "in/twice.yml name duplicate_name",
      "in/unknown.yaml model.provider unknown_provider",
      "in/unknown.yaml toolNames[0] unknown_tool",
      "in/coded.json name agent_read_only",
    ]),
  );
  expect(JSON.parse(exported.out)).toEqual([]);
});

it("carries pins and call mode through export and import, and checks them", async () => {
  const { tracon, write, read, remove } = project();
  const router = {
    ...agent("router"),
    callableAgents: [{ name: "support", version: 1 }, "coded", "billing-a", "billing a"],
    subAgents: { callMode: "Tool", waitTimeout: "00:01:00" },
  };
  write("callees.yaml", JSON.stringify([agent("support"), agent("billing-a"), agent("billing a")]));
  await tracon("import", "callees.yaml");
  write("router.json", router);

  const refused = await tracon("import", "router.json", "--json");
  const callableAgents = router.callableAgents.slice(0, 3);
  write("router.json", { ...router, callableAgents });
  const imported = await tracon("import", "router.json", "--json");
  await tracon("export", "router", "--out", "out");
  const again = await tracon("import", "out/router.yaml", "--json");
  remove("router.json");
  write("old.json", {
    Name: "older",
    Model: { Provider: "demo", Model: "m" },
    CallableAgentNames: ["support", "nobody"],
  });
  const older = await tracon("import", "old.json", "--json");

  const codes = ({ out }: { readonly out: string }) =>
    (JSON.parse(out).findings as Finding[]).map(({ code, path }) => `${path} ${code}`);
  expect(codes(refused)).toEqual(["callableAgents[3].name sub_agent_tool_name_conflict"]);
  expect(imported.code).toBe(0);
  expect(read("out/router.yaml")).toContain(
    "callableAgents:\n  - name: support\n    version: 1\n  - name: coded\n  - name: billing-a\n",
  );
  expect(JSON.parse(again.out)).toMatchObject({ saved: [], unchanged: ["router"] });
  expect(codes(older)).toEqual(["callableAgents[1].name unknown_agent"]);
});

it("turns calls around in one apply, and refuses what they would be a ring with", async () => {
  const { tracon, write } = project();
  const calling = (name: string, callableAgents: readonly string[]) => ({
    ...agent(name),
    callableAgents,
  });
  write("between.json", agent("between"));
  await tracon("import", "between.json");
  write("in/a.json", calling("a", ["between"]));
  write("in/b.json", agent("b"));
  await tracon("apply", "in");
  write("between.json", calling("between", ["b"]));
  await tracon("import", "between.json");
  write("in/b.json", calling("b", ["a"]));

  const ring = await tracon("apply", "in");
  write("in/a.json", agent("a"));
  const turned = await tracon("apply", "in");

  expect(ring).toMatchObject({ code: 3, out: expect.stringContaining("b → a → between → b") });
  expect(turned.err).toBe("");
  expect(turned).toMatchObject({
    code: 0,
    out: expect.stringContaining("saved a v2\nsaved b v2\n"),
  });
});

it("compares versions, and the current one with a file", async () => {
  const { tracon, write } = project();
  for (const instructions of ["one", "two", "three"]) {
    write("a.json", { ...agent("a"), instructions });
    await tracon("import", "a.json");
  }
  write("b.yaml", "name: a\nmodel: { provider: demo, model: m }\ninstructions: four\n");

  const last = await tracon("diff", "a", "--json");
  const first = await tracon("diff", "a", "1");
  const equal = await tracon("diff", "a", "2", "2");
  const file = await tracon("diff", "a", "--file", "b.yaml", "--json");

  const change = { path: "instructions", before: "two", after: "three" };
  expect(last.code).toBe(3);
  expect(JSON.parse(last.out)).toEqual({
    agent: "a",
    from: { version: 2 },
    to: { version: 3 },
    equal: false,
    changes: [change],
  });
  expect(first).toMatchObject({
    code: 3,
    out: 'a  v1 → v3\ninstructions:\n  - "one"\n  + "three"\n',
  });
  expect(equal).toMatchObject({ code: 0, out: "a  v2 → v2\nno difference\n" });
  expect(JSON.parse(file.out)).toMatchObject({ changes: [{ before: "three", after: "four" }] });
});

it("plans without writing, applies, and has nothing to do after that", async () => {
  const { tracon, write, list } = project();
  write("in/user.json", { ...agent("user"), sharedInstructionsName: "block" });
  write("in/zblock.yaml", "name: block\nmodel: { provider: demo, model: m }\n");

  const planned = await tracon("apply", "in", "--dry-run");
  const filesThen = list("in");
  const applied = await tracon("apply", "in");
  const again = await tracon("apply", "in", "--dry-run");

  expect(planned).toMatchObject({ code: 3, out: "+ create    block\n+ create    user\n" });
  expect(filesThen).toEqual(["user.json", "zblock.yaml"]);
  expect(applied.code).toBe(0);
  expect(applied.out).toContain("created block v1\ncreated user v1\n");
  expect(list("in")).toEqual(["tracon.lock.json", "user.json", "zblock.yaml"]);
  expect(again).toMatchObject({ code: 0, out: "= unchanged block\n= unchanged user\n" });
});

it("refuses to overwrite drift until it is told to", async () => {
  const { tracon, write } = project();
  write("in/a.json", { ...agent("a"), instructions: "one" });
  await tracon("apply", "in");
  write("hand.json", { ...agent("a"), instructions: "by hand" });
  await tracon("import", "hand.json");

  const refused = await tracon("apply", "in");
  const still = await tracon("diff", "a", "--file", "hand.json");
  const overwritten = await tracon("apply", "in", "--overwrite-drift", "--json");
  const settled = await tracon("apply", "in", "--dry-run");

  expect(refused).toMatchObject({ code: 3, err: expect.stringContaining("--overwrite-drift") });
  expect(refused.out).toContain("~ change    a  (drift: it was changed since the last apply)");
  expect(still.code).toBe(0);
  expect(JSON.parse(overwritten.out)).toMatchObject({
    plan: [{ action: "change", name: "a", basedOn: 2, drift: true }],
    done: [{ action: "change", name: "a", version: 3 }],
  });
  expect(settled.code).toBe(0);
});

it("deletes what has no file any more only with --prune", async () => {
  const { tracon, write, remove } = project();
  write("in/a.json", agent("a"));
  write("in/b.json", agent("b"));
  write("foreign.json", agent("foreign"));
  await tracon("apply", "in");
  await tracon("import", "foreign.json");
  remove("in/b.json");

  const kept = await tracon("apply", "in");
  const pruned = await tracon("apply", "in", "--prune");
  const left = await tracon("export", "--format", "json");

  expect(kept.code).toBe(0);
  expect(kept.out).toContain("= keep      b  (its file is gone; --prune deletes it)");
  expect(pruned).toMatchObject({ code: 0, out: expect.stringContaining("deleted b\n") });
  expect((JSON.parse(left.out) as { name: string }[]).map(({ name }) => name)).toEqual([
    "a",
    "foreign",
  ]);
});

it("colours a difference on a terminal only, and shows control characters as text", async () => {
  const { tracon, write, cwd } = project();
  for (const instructions of ["one", "t\u001b[2Jwo"]) {
    write("a.json", { ...agent("a"), instructions });
    await tracon("import", "a.json");
  }

  const plain = await tracon("diff", "a");
  const colored = await cli(["diff", "a"], { cwd, hasColors: true });

  expect(plain.out).not.toContain("\u001b");
  expect(colored.out).toContain("\u001b[31m");
  expect(colored.out).not.toContain("\u001b[2J");
});

it("saves none of the definitions of a folder whose lock file it cannot read", async () => {
  const { tracon, write } = project();
  write("in/a.json", agent("a"));
  write("in/tracon.lock.json", "{}");

  const applied = await tracon("apply", "in");

  expect(applied).toMatchObject({ code: 2, err: expect.stringContaining("no lock file") });
  expect(await tracon("export")).toMatchObject({ code: 0, out: "" });
});

it("keeps what was applied to one installation apart from another", async () => {
  const { tracon, write, read, cwd } = project();
  const other = ["--storage", `sqlite:${cwd}/other.db`];
  write("in/a.json", { ...agent("a"), instructions: "one" });
  await tracon("apply", "in");
  await tracon("apply", "in", ...other);
  write("in/a.json", { ...agent("a"), instructions: "two" });
  await tracon("apply", "in");

  const applied = await tracon("apply", "in", ...other);

  expect(applied).toMatchObject({ code: 0, out: expect.stringContaining("saved a v2") });
  expect(Object.keys(JSON.parse(read("in/tracon.lock.json")).targets)).toEqual([
    "sqlite:../other.db",
    "sqlite:../tracon.db",
  ]);
});

it.each([
  [["export", "--format", "xml"], "'xml' is no format"],
  [["export", "--all-versions"], "needs --out"],
  [["export", "--json"], "needs --out"],
  [["diff", "a", "x"], "'x' is not a version"],
  [["diff", "a", "1", "--file", "f.json"], "leave the numbers out"],
])("exits with 1 for %j", async (words, reason) => {
  const { code, err } = await project().tracon(...words);

  expect([code, err]).toEqual([1, expect.stringContaining(reason)]);
});

it.each([
  [["export", "nobody"], "there is no agent 'nobody'"],
  [["export", "--url", "here"], "is not the address of a server"],
  [["export", "--url", "http://127.0.0.1:1/tracon"], "did not answer"],
  [["export", "--url", "http://127.0.0.1:1", "--storage", "memory:"], "has its own"],
  [["diff", "coded"], "one defined in code has no versions"],
  [["diff", "a", "--file", "absent.json"], "absent.json: cannot be read"],
  [["apply", "absent"], "no such file or directory"],
])("exits with 2 for %j and says why, without a stack", async (words, reason) => {
  const { code, out, err } = await project().tracon(...words);

  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain(reason);
  expect(err).not.toContain("    at ");
});

it.each([
  [["import", "in"], "there are no definition files in in"],
  [["import", "absent.json"], "cannot be read"],
  [["import", "tracon.config.mjs"], "it is not a .json, .yaml or .yml file"],
])("exits with 3 for %j", async (words, reason) => {
  const { code, out, err } = await project().tracon(...words);

  expect(code).toBe(3);
  expect(out + err).toContain(reason);
});

type Finding = { readonly file: string; readonly path: string; readonly code: string };

const agent = (name: string) => ({ name, model: { provider: "demo", model: "m" } });

const configOf = (folder: string) => `export default {
  providers: { demo: { kind: "scripted", models: { m: [{ text: "Hi" }] } } },
  agents: [{ name: "coded", model: { provider: "demo", model: "m" } }],
  storage: "sqlite:${folder}/tracon.db",
};`;

function project() {
  const folder = mkdtempSync(join(tmpdir(), "tracon-definitions-"));
  folders.push(folder);
  writeFileSync(join(folder, "tracon.config.mjs"), configOf(folder));
  for (const name of ["in", "out"]) mkdirSync(join(folder, name));
  return {
    cwd: folder,
    tracon: (...words: readonly string[]) => cli(words, { cwd: folder }),
    write: (path: string, content: string | object) =>
      writeFileSync(
        join(folder, path),
        typeof content === "string" ? content : JSON.stringify(content),
      ),
    read: (path: string) => readFileSync(join(folder, path), "utf8"),
    list: (path: string) => readdirSync(join(folder, path)).sort(),
    remove: (path: string) => rmSync(join(folder, path)),
  };
}

async function cli(words: readonly string[], terminal: Pick<Terminal, "cwd" | "hasColors">) {
  let out = "";
  let err = "";
  const code = await runCli(words, {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    env: {},
    interrupted: new AbortController().signal,
    ...terminal,
  });
  return { code, out, err };
}
