/** Parameters, cultures and estimates over HTTP, on every store. */

import { storeMatrix } from "@tracon/testing";
import { afterEach, describe, expect, it } from "vitest";
import { type ScriptedHost, startScriptedHost } from "../kit/scripted-host.ts";
import { covers } from "../requirements/covers.ts";

const model = { provider: "test", model: "m" };
const GREETER = {
  name: "greeter",
  model,
  instructions: 'You help {{customer}}. Use a {{tone}} tone. { "customer": "{{customer}}" }',
  instructionsByCulture: { tr: "{{customer}} için yardımcı ol." },
  parameters: [
    { name: "customer", kind: "Text", required: true },
    { name: "tone", kind: "Text", defaultValue: "formal" },
    { name: "age", kind: "Number" },
    { name: "vip", kind: "Boolean" },
  ],
} as const;
const RUN = "/api/agents/greeter/run";
const open: ScriptedHost[] = [];
afterEach(async () => {
  for (const { host } of open.splice(0)) await host.close();
});

describe.each(storeMatrix().filter(({ engine }) => engine !== "memory"))(
  "on $engine",
  ({ newUrl }) => {
    it("binds values and defaults, and records both", {
      ...covers(
        "parameter.values-on-run",
        "parameter.default-used-when-absent",
        "parameter.json-string-value-escaped",
        "parameter.kinds",
        "parameter-carrier.run-records-bound-values",
      ),
    }, async () => {
      const { api, texts } = await start();
      const parameters = { customer: 'Zoë "Z" \u2028', age: "many", vip: "maybe" };

      const { body: result } = await api.json("POST", RUN, { message: "Hi.", parameters });
      const { body: input } = await api.json("GET", `/api/runs/${result.runId}/input`);

      expect(result).toMatchObject({ status: "Completed" });
      expect(texts()).toEqual([
        'You help Zoë "Z" \u2028. Use a formal tone. { "customer": "Zoë \\"Z\\" \u2028" }',
      ]);
      expect(input.parameters).toEqual({ ...parameters, tone: "formal" });
    });

    it("records hostile values as they are", async () => {
      const { api, texts } = await start();
      const values = ["\u0000", "\ud83d", "\ude00 alone", "👩‍👩‍👧", "\u202e", "{{tone}}", "$&", ""];

      for (const customer of values) {
        const parameters = { customer };
        const { status, body } = await api.json("POST", RUN, { message: "Hi.", parameters });
        const { body: input } = await api.json("GET", `/api/runs/${body.runId}/input`);

        expect([status, body.status]).toEqual([200, "Completed"]);
        expect(input.parameters).toEqual({ customer, tone: "formal" });
      }
      expect(texts()[5]).toContain("You help {{tone}}. Use a formal tone.");
    });

    it("refuses a run without the values it needs, and an estimate alike", {
      ...covers(
        "parameter.missing-required-stops-before-start",
        "parameter.undeclared-value-refused",
        "parameter.checked-for-saved-definition",
        "parameter.checked-for-code-definition",
        "parameter.estimate-checks-values",
        "parameter.estimate-calls-no-model",
      ),
    }, async () => {
      const { api, texts } = await start();
      const body = { message: "Hi.", parameters: { tone: "x", b: "1", constructor: "2" } };

      const answers = [
        await api.json("POST", RUN, body),
        await api.json("POST", "/api/agents/greeter/estimate", body),
        await api.json("POST", "/api/agents/coded/run", body),
        await api.json("POST", "/api/agents/coded/estimate", body),
      ];
      const { body: runs } = await api.json("GET", "/api/runs");

      for (const { status, body: problem } of answers) {
        expect(status).toBe(400);
        expect(problem).toMatchObject({
          code: "request_invalid",
          missingParameters: ["customer"],
          unknownParameters: ["b", "constructor"],
        });
      }
      expect(runs).toEqual([]);
      expect(texts()).toEqual([]);
    });

    it.each([
      [{ customer: 7 }, "parameters.customer"],
      [{ customer: ["a"] }, "parameters.customer"],
      [{ customer: "x".repeat(4_097) }, "parameters.customer"],
      [["a"], "parameters"],
      [JSON.parse('{"customer":"a","__proto__":"b"}'), "parameters.__proto__"],
    ])("refuses values that are no texts of bounded length: %#", async (parameters, path) => {
      const { api } = await start();

      const { status, body } = await api.json("POST", RUN, { message: "Hi.", parameters });

      expect(status).toBe(400);
      expect(body.findings).toMatchObject([{ path }]);
    });

    it("estimates the prompt with its values", {
      ...covers("parameter.estimate-checks-values"),
    }, async () => {
      const { api, texts } = await start();
      const estimate = (customer: string) =>
        api.json("POST", "/api/agents/greeter/estimate", {
          message: "Hi.",
          parameters: { customer },
          culture: "tr",
        });

      const short = await estimate("");
      const long = await estimate("x".repeat(400));

      expect(short).toMatchObject({
        status: 200,
        body: { contextWindowTokens: null, allowedPromptTokens: null, wouldBeRejected: false },
      });
      expect(long.body.promptTokens - short.body.promptTokens).toBe(100);
      expect(texts()).toEqual([]);
    });

    it("chooses instructions by the culture of the request and never by its header", {
      ...covers("culture.optional-on-run", "culture.accept-language-ignored"),
    }, async () => {
      const { api, texts } = await start();
      const cultures = ["tr", "TR-tr", "tr-\u0000", "*", "de", undefined];

      const records = [];
      for (const culture of cultures) {
        const response = await fetch(`${api.url}${RUN}`, {
          method: "POST",
          headers: {
            "content-type": "application/json",
            accept: "application/json",
            "accept-language": "tr, tr-TR;q=0.9",
          },
          body: JSON.stringify({ message: "Hi.", culture, parameters: { customer: "Ada" } }),
        });
        const { runId } = (await response.json()) as { readonly runId: string };
        records.push((await api.json("GET", `/api/runs/${runId}`)).body.culture);
      }

      expect(texts().map((text) => String(text).includes("yardımcı"))).toEqual([
        true,
        true,
        false,
        false,
        false,
        false,
      ]);
      expect(records).toEqual(cultures);
    });

    it("refuses cultures and parameters nobody could use when it saves", {
      ...covers("culture.keys-are-bcp-47", "parameter.schema-checked-at-compile"),
    }, async () => {
      const { api } = await start();

      const refused = await api.json("POST", "/api/agents", {
        name: "broken",
        model,
        instructionsByCulture: { tr_TR: "a", "de-DE": "b", "DE-de": "c" },
        parameters: [
          { name: "a", kind: "Text" },
          { name: "a", kind: "Colour" },
        ],
      });
      const compiled = await api.json("POST", "/api/agents", {
        name: "broken",
        model,
        instructionsByCulture: { tr_TR: "a", "de-DE": "b", "DE-de": "c" },
        parameters: [
          { name: "a", kind: "Text" },
          { name: "a", kind: "text", value: undefined },
        ],
      });

      expect(refused.status).toBe(400);
      expect(refused.body.findings.map((it: { path: string }) => it.path)).toEqual(
        expect.arrayContaining(["parameters[1].kind", 'instructionsByCulture["tr_TR"]']),
      );
      expect(compiled.status).toBe(400);
      expect(
        compiled.body.findings.map((it: { code: string; path: string }) => [it.code, it.path]),
      ).toEqual([
        ["culture_invalid", 'instructionsByCulture["tr_TR"]'],
        ["duplicate_name", 'instructionsByCulture["DE-de"]'],
        ["duplicate_name", "parameters[1].name"],
        ["parameter_unused", "parameters[0].name"],
        ["parameter_unused", "parameters[1].name"],
      ]);
    });

    it("takes a schema of parameters and never a value", {
      ...covers("parameter.schema-only"),
    }, async () => {
      const { api } = await start();

      const { status, body } = await api.json("POST", "/api/agents", {
        name: "valued",
        model,
        parameters: [{ name: "a", kind: "Text", value: "1" }],
      });

      expect(status).toBe(400);
      expect(body.findings).toMatchObject([
        { code: "unknown_member", path: "parameters[0].value" },
      ]);
    });

    async function start() {
      const host = await startScriptedHost(Array(10).fill("Done."), {
        storage: await newUrl(),
        agents: [{ ...GREETER, name: "coded", parameters: [...GREETER.parameters] }],
      });
      open.push(host);
      await host.api.json("POST", "/api/agents", GREETER);
      return { ...host, texts: () => host.calls.map(({ prompt }) => prompt[0]?.content) };
    }
  },
);
