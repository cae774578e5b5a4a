/**
 * One tool for each callable agent: one call runs the agent and returns its answer.
 *
 * A call that gave no answer says why, in the result: it is no failed call, so that a model which asks
 * again does not end the run.
 */

import { callChild } from "../scope/child-call.ts";
import { engineTool } from "../tools/engine-tool.ts";
import type { RegisteredTool } from "../tools/tool-registry.ts";
import type { Callee } from "./callee.ts";
import { describeOutcome } from "./outcome-text.ts";

const INPUT_SCHEMA = {
  type: "object",
  properties: {
    query: { type: "string", description: "What the agent is asked. It sees nothing else." },
  },
  required: ["query"],
  additionalProperties: false,
};

export const agentTools = (callees: readonly Callee[]): readonly RegisteredTool[] =>
  callees.map(agentTool);

const agentTool = ({ name, version, description, toolName }: Callee): RegisteredTool =>
  engineTool<{ readonly query: string }>({
    name: toolName,
    description: description ?? `Asks agent '${name}' and returns its answer.`,
    inputSchema: INPUT_SCHEMA,
    isDelegation: true,
    beginsChildren: true,
    asksAgent: name,
    async run({ query }, { scope, signal }) {
      if (query.trim() === "") throw new TypeError("the query is empty");
      const request = { agentName: name, version, message: query, signal };
      const outcome = await callChild(scope.startChild, request);
      return outcome.kind === "answered"
        ? outcome.text
        : `Agent '${name}' could not complete: ${describeOutcome(outcome)}`;
    },
  });
