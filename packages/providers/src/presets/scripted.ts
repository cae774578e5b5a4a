import * as z from "zod";
import { definePreset } from "../preset.ts";
import { scriptSchema } from "../scripted/script.ts";
import { scriptedModel } from "../scripted/scripted-model.ts";

/** Answers written as data: for a first look without a key, and for tests. */
export const scripted = definePreset({
  kind: "scripted",
  description: "Answers, tool calls and delays written as data; no network, no key.",
  options: z.strictObject({
    kind: z.literal("scripted"),
    models: z
      .record(z.string().min(1), scriptSchema)
      .refine((models) => Object.keys(models).length > 0, "needs at least one model"),
  }),

  async load({ name, options }) {
    const scripts = new Map(Object.entries(options.models));
    return [
      {
        name,
        kind: "scripted",
        optionsKey: "scripted",
        settings: {},
        languageModel(modelId) {
          const script = scripts.get(modelId);
          if (script !== undefined) return scriptedModel(name, modelId, script);
          const known = [...scripts.keys()].map((id) => `'${id}'`).join(", ");
          throw new Error(`provider '${name}' has a script for ${known} only`);
        },
      },
    ];
  },
});
