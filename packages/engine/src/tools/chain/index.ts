import type { ToolSettings } from "../tool-settings.ts";
import { approvalLink } from "./approval.ts";
import { argumentValidationLink } from "./argument-validation.ts";
import { authorizationLink } from "./authorization.ts";
import { bodyOf } from "./body.ts";
import { outputLimitLink } from "./output-limit.ts";
import { timeoutLink } from "./timeout.ts";
import type { RunToolCall, ToolLink } from "./tool-link.ts";

/** All links around a tool's body, outermost first. */
export const toolLinks: readonly ToolLink[] = [
  authorizationLink,
  argumentValidationLink,
  timeoutLink,
  approvalLink,
  outputLimitLink,
];

/** The way of a call to the tool's body. */
export const chainOf = (tool: ToolSettings): RunToolCall =>
  toolLinks.reduceRight((next, link) => link.wrap(next, tool), bodyOf(tool));
