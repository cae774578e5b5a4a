/**
 * Criteria in code: one that looks at the text, and one whose factory gets the running Tracon. It asks every
 * fact checker the catalog has at that moment, and reminds each of what it found a round before.
 */

import assert from "node:assert/strict";
import { createTracon, defineConfig } from "tracon";

let factoryCalls = 0;

const tracon = await createTracon(
  defineConfig({
    storage: "memory:",
    providers: {
      demo: {
        kind: "scripted",
        models: {
          writer: {
            when: [
              { match: "citation", turns: [{ text: "It was lit in 1798 [1]." }] },
              { match: "1698", turns: [{ text: "It was lit in 1698 [1]." }] },
              { turns: [{ text: "It was lit long ago." }] },
            ],
          },
          checker: {
            when: [
              { match: "Draft: It was lit in 1698", turns: [{ text: "OK" }] },
              { turns: [{ text: "Not in 1798, in 1698." }] },
            ],
          },
        },
      },
    },
    loopEvaluators: {
      hasCitations: {
        description: "Every claim has a numbered citation.",
        evaluate: ({ lastResponse }) =>
          lastResponse.text.includes("[1]")
            ? { decision: "stop" }
            : { decision: "continue", feedback: "Add a numbered citation for every claim." },
      },
      factsChecked: {
        description: "No fact checker of the catalog objects.",
        create: ({ agents }) => {
          factoryCalls += 1;
          return {
            async evaluate({ lastResponse, properties, callAgent }) {
              const catalog = await agents.list();
              for (const { name } of catalog.filter((it) => it.name.startsWith("check-"))) {
                const found = properties.get(name);
                const before = typeof found === "string" ? `\nYou found before: ${found}` : "";
                const message = `Draft: ${lastResponse.lastMessage}${before}`;
                const check = await callAgent(name, { message });
                if (!check.answered) throw new Error(`${name} gave no answer: ${check.reason}`);
                if (check.text === "OK") continue;
                properties.set(name, check.text);
                return { decision: "continue", feedback: check.text };
              }
              return { decision: "stop" };
            },
          };
        },
      },
    },
    agents: [
      { name: "check-dates", model: { provider: "demo", model: "checker" } },
      {
        name: "historian",
        model: { provider: "demo", model: "writer" },
        harness: {
          // The cheap criterion comes first: what it sends back, no checker reads.
          loop: { criteria: [{ kind: "hasCitations" }, { kind: "factsChecked" }] },
        },
      },
    ],
  }),
);

const { runId, output, iterations } = await tracon.run("historian", {
  message: "When was it lit?",
});
const decisions: string[] = [];
for await (const event of tracon.runs.events(runId)) {
  if (event.type !== "LoopIterationCompleted") continue;
  const { criteria } = event.payload;
  decisions.push(criteria.map(({ kind, decision }) => `${kind}: ${decision}`).join(", "));
}
for (const [index, decision] of decisions.entries()) console.log(`${index + 1}. ${decision}`);

const [, ...checks] = await tracon.runs.tree(runId);
const asked: string[] = [];
for (const { id } of checks) {
  const [started] = await Array.fromAsync(tracon.runs.events(id));
  asked.push(started?.text ?? "");
}
console.log(`\nThe checker read:\n${asked.join("\n---\n")}\n\nThe answer:\n${output}`);

const again = await tracon.run("historian", { message: "When was it lit?" });
await tracon.close();

assert.equal(output, "It was lit in 1698 [1].");
assert.equal(iterations, 3);
assert.deepEqual(decisions, [
  "hasCitations: continue",
  "hasCitations: stop, factsChecked: continue",
  "hasCitations: stop, factsChecked: stop",
]);
assert.deepEqual(asked, [
  "Draft: It was lit in 1798 [1].",
  "Draft: It was lit in 1698 [1].\nYou found before: Not in 1798, in 1698.",
]);
assert.equal(again.output, output);
assert.equal(factoryCalls, 1, "a factory is called once for all runs");
