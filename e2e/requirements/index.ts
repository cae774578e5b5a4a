/** Every behaviour the seed documents state, one file per area. */

import { agentFactories } from "./agent-factories.ts";
import { agentReview } from "./agent-review.ts";
import { cache } from "./cache.ts";
import { callModeTool } from "./call-mode-tool.ts";
import { callableAgents } from "./callable-agents.ts";
import { childWaits } from "./child-waits.ts";
import { codeCriteria } from "./code-criteria.ts";
import { compile } from "./compile.ts";
import { cultures } from "./cultures.ts";
import { definition } from "./definition.ts";
import { extensionRings } from "./extension-rings.ts";
import { extensions } from "./extensions.ts";
import { failRun } from "./fail-run.ts";
import { harness } from "./harness.ts";
import { loop } from "./loop.ts";
import { loopCriteria } from "./loop-criteria.ts";
import { loopCriteriaList } from "./loop-criteria-list.ts";
import { loopEvents } from "./loop-events.ts";
import { loopValidation } from "./loop-validation.ts";
import { mcpResources } from "./mcp-resources.ts";
import { parameterCarriers } from "./parameter-carriers.ts";
import { parameters } from "./parameters.ts";
import { pins } from "./pins.ts";
import type { Requirement } from "./requirement.ts";
import { sharedInstructions } from "./shared-instructions.ts";
import { skills } from "./skills.ts";
import { sources } from "./sources.ts";
import { versions } from "./versions.ts";

export const requirements: readonly Requirement[] = [
  ...definition,
  ...skills,
  ...mcpResources,
  ...cultures,
  ...parameters,
  ...parameterCarriers,
  ...sharedInstructions,
  ...sources,
  ...agentFactories,
  ...compile,
  ...harness,
  ...cache,
  ...extensions,
  ...extensionRings,
  ...versions,
  ...callableAgents,
  ...childWaits,
  ...callModeTool,
  ...pins,
  ...loop,
  ...loopCriteria,
  ...loopEvents,
  ...agentReview,
  ...codeCriteria,
  ...loopCriteriaList,
  ...loopValidation,
  ...failRun,
];
