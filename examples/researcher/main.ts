/** A researcher that is invoked again until it writes its marker. Its model plays a script: no key is needed. */

import assert from "node:assert/strict";
import { createTracon, defineConfig } from "tracon";

const tracon = await createTracon(
  defineConfig({
    storage: "memory:",
    providers: {
      demo: {
        kind: "scripted",
        models: {
          research: {
            when: [
              // The feedback of the criterion, which names the marker.
              {
                match: "ALL DONE",
                turns: [{ text: "Why it fell: the storm of 1703 took it in one night. ALL DONE" }],
              },
              { turns: [{ text: "Who lit the first lamp: its keeper, in 1698." }] },
            ],
          },
        },
      },
    },
    agents: [
      {
        name: "researcher",
        model: { provider: "demo", model: "research" },
        instructions:
          "Answer one question of the topic at a time. Write ALL DONE when none is left open.",
        harness: {
          loop: {
            criteria: [{ kind: "completionMarker", marker: "ALL DONE" }],
            maxIterations: 5,
          },
        },
      },
    ],
  }),
);

let runId = "";
for await (const frame of tracon.stream("researcher", { message: "The first lighthouse" })) {
  if (frame.event === "run") runId = frame.data.runId;
  if (frame.event === "update" && frame.data.kind === "text") process.stdout.write(frame.data.text);
  if (frame.event === "loop.iteration-completed") process.stdout.write("\n\n");
  if (frame.event !== "done") continue;
  const { output, iterations } = frame.data;
  console.log(`The answer is the last of ${iterations} iterations:\n${output}`);
  assert.equal(iterations, 2);
  assert.equal(output, "Why it fell: the storm of 1703 took it in one night. ALL DONE");
}

const decisions: string[] = [];
for await (const event of tracon.runs.events(runId)) {
  if (event.type === "LoopIterationCompleted") decisions.push(`${event.text}`);
}
console.log(`\nWhat the run keeps of its loop:\n  ${decisions.join("\n  ")}`);
await tracon.close();

assert.deepEqual(decisions, [
  "iteration 1 continued by 'completionMarker'",
  "iteration 2 satisfied every criterion",
]);
