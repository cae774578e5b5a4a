import { warning } from "@tracon/core";
import type { BuiltInCriterion } from "../criterion-host.ts";

/** Stops once no background task runs. It does not wait for one: the agent has tools for that. */
export const backgroundTaskCompletion: BuiltInCriterion = {
  kind: "backgroundTaskCompletion",
  description: "No background task is still running.",
  reads: [],

  findings(_, path, { hasBackgroundTasks }) {
    if (hasBackgroundTasks) return [];
    const message =
      "this agent starts no background tasks: it has no callable agents, or calls them as tools";
    return [warning("loop_criterion_idle", `${path}.kind`, message)];
  },

  create: ({ kind }) => ({
    kind,
    async evaluate({ scope: { tasks } }) {
      const running = tasks.all().filter(({ status }) => status === "Running");
      if (running.length === 0) return { decision: "stop" };
      const lines = running.map(
        ({ id, agentName, description }) => `- task ${id} (${agentName}): ${description}`,
      );
      const heading = "Background tasks are still running. Wait for them, and use their results:";
      return { decision: "continue", feedback: [heading, ...lines].join("\n") };
    },
  }),
};
