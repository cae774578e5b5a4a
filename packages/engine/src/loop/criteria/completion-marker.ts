import { finding } from "@tracon/core";
import type { BuiltInCriterion } from "../criterion-host.ts";

/**
 * Stops once the answer contains a text that the instructions told the agent to write. An answer that
 * only speaks of the marker contains it as well.
 */
export const completionMarker: BuiltInCriterion = {
  kind: "completionMarker",
  description: "The answer contains a marker text.",
  reads: ["marker"],

  findings({ marker = "" }, path) {
    if (marker.trim() !== "") return [];
    const message = "a completionMarker needs the text that ends the loop";
    return [finding("loop_marker_missing", `${path}.marker`, message)];
  },

  create({ kind, marker = "" }) {
    const feedback = `The work is not finished yet. Go on with it, and end your answer with this text once it is: ${marker}`;
    return {
      kind,
      evaluate: async ({ lastResponse }) =>
        lastResponse.text.includes(marker)
          ? { decision: "stop" }
          : { decision: "continue", feedback },
    };
  },
};
