/**
 * Every screen of the console: its path, its title and how its code is loaded. The rail and the
 * palette show those that `navigation.ts` of the shell groups.
 */

import { agentRoute } from "./agent/agent-route.ts";
import { agentEditorRoute, newAgentRoute } from "./agent-editor/agent-editor-route.ts";
import { agentsRoute } from "./agents/agents-route.ts";
import { approvalsRoute } from "./approvals/approvals-route.ts";
import { homeRoute } from "./home/home-route.ts";
import { playgroundRoute } from "./playground/playground-route.ts";
import { runRoute } from "./run/run-route.ts";
import { runsRoute } from "./runs/runs-route.ts";
import { sessionRoute } from "./session/session-route.ts";
import { sessionsRoute } from "./sessions/sessions-route.ts";

export const screens = [
  homeRoute,
  playgroundRoute,
  runsRoute,
  runRoute,
  approvalsRoute,
  sessionsRoute,
  sessionRoute,
  agentsRoute,
  agentRoute,
  agentEditorRoute,
  newAgentRoute,
] as const;
