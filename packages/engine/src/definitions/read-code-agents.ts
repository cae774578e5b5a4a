/** Reads the definitions of code as far as they can be read, so that the compiler can go on with the rest. */

import {
  type AgentDefinitionContent,
  agentDefinitionRequestSchema,
  type Finding,
} from "@tracon/core";
import { readDefinition, STAND_INS } from "./read-definition.ts";

/** Definitions of code, and what is wrong with them. */
export type ReadCodeAgents = {
  /** One for each that was given; of one that cannot be read, what is left without what is wrong. */
  readonly agents: readonly AgentDefinitionContent[];
  /** What is wrong with them, at `agents[i]`. */
  readonly findings: readonly Finding[];
  /** Whether what is found in the agents as they were read holds for the given ones. */
  isOfGiven(found: Finding): boolean;
};

const PLACE = /^agents\[(\d+)\]\.?(.*)$/s;

/** Reads definitions one by one: what is wrong with one hides nothing of the others, nor of itself. */
export function readCodeAgents(given: readonly unknown[]): ReadCodeAgents {
  const read = given.map(readDefinition);
  return {
    agents: read.map(
      (it) => it.content ?? it.rest ?? agentDefinitionRequestSchema.parse(STAND_INS),
    ),
    findings: read.flatMap((it, index) =>
      it.content === undefined ? it.findings.map((found) => placed(found, index)) : [],
    ),
    isOfGiven({ path, severity }) {
      const [, index, inside = ""] = PLACE.exec(path) ?? [];
      const it = read[Number(index)];
      if (it === undefined || it.content !== undefined) return true;
      // A part of a definition gives no reason to warn of what it seems to lack.
      return it.rest !== undefined && severity === "Error" && !it.isLeftOut(inside);
    },
  };
}

function placed(found: Finding, index: number): Finding {
  const separator = found.path === "" || found.path.startsWith("[") ? "" : ".";
  return { ...found, path: `agents[${index}]${separator}${found.path}` };
}
