/** The engine's surface for the application it runs in: one tenant, events as objects. */

import type { RunEvent } from "@tracon/core";
import type { Engine } from "@tracon/engine";
import type {
  TraconAgents,
  TraconApprovals,
  TraconAttachments,
  TraconRuns,
  TraconSessions,
  TraconStatistics,
} from "./tracon.ts";

/** The tenant of an installation that has only one. */
export const DEFAULT_TENANT = "default";
/** Entries of one list call when the caller names no number. */
const DEFAULT_TAKE = 50;

export const embeddedAgents = ({ agents }: Engine): TraconAgents => ({
  list: () => agents.list(DEFAULT_TENANT),
  get: (name) => agents.get(DEFAULT_TENANT, name),
  create: (definition) => agents.create(DEFAULT_TENANT, definition),
  save: (definition, options) => agents.save(DEFAULT_TENANT, definition.name, definition, options),
  delete: (name, options) => agents.delete(DEFAULT_TENANT, name, options),
  versions: (name) => agents.versions(DEFAULT_TENANT, name),
  version: (name, version) => agents.version(DEFAULT_TENANT, name, version),
  rollback: (name, version, options) => agents.rollback(DEFAULT_TENANT, name, version, options),
  validate: (definition) => agents.validate(DEFAULT_TENANT, definition),
});

export const embeddedAttachments = ({ attachments }: Engine): TraconAttachments => ({
  upload: (file) => attachments.upload(DEFAULT_TENANT, file),
  list: (filter = {}, page = {}) =>
    attachments.list(DEFAULT_TENANT, filter, { skip: 0, take: DEFAULT_TAKE, ...page }),
  get: (id) => attachments.get(DEFAULT_TENANT, id),
  content: (id) => attachments.content(DEFAULT_TENANT, id),
  delete: (id) => attachments.delete(DEFAULT_TENANT, id),
});

export const embeddedRuns = ({ runs }: Engine): TraconRuns => ({
  get: (runId) => runs.get(DEFAULT_TENANT, runId),
  tree: (runId) => runs.tree(DEFAULT_TENANT, runId),
  list: (filter = {}, page = {}) =>
    runs.list(DEFAULT_TENANT, filter, { skip: 0, take: DEFAULT_TAKE, ...page }),
  async *events(runId, { after = -1, signal = new AbortController().signal } = {}) {
    const batches = await runs.events(DEFAULT_TENANT, runId, { after, signal });
    for await (const batch of batches) {
      for (const { json } of batch) yield JSON.parse(json) as RunEvent;
    }
  },
  cancel: (runId) => runs.cancel(DEFAULT_TENANT, runId),
  toolInvocations: (runId) => runs.toolInvocations(DEFAULT_TENANT, runId),
  trace: (runId) => runs.trace(DEFAULT_TENANT, runId),
  input: (runId) => runs.input(DEFAULT_TENANT, runId),
});

export const embeddedSessions = ({ sessions }: Engine): TraconSessions => ({
  list: (filter = {}, page = {}) =>
    sessions.list(DEFAULT_TENANT, filter, { skip: 0, take: DEFAULT_TAKE, ...page }),
  get: (sessionId) => sessions.get(DEFAULT_TENANT, sessionId),
  branch: (sessionId, request = {}) => sessions.branch(DEFAULT_TENANT, sessionId, request),
  delete: (sessionId) => sessions.delete(DEFAULT_TENANT, sessionId),
});

export const embeddedApprovals = ({ approvals }: Engine): TraconApprovals => ({
  pending: (page = {}) => approvals.pending(DEFAULT_TENANT, { take: DEFAULT_TAKE, ...page }),
  get: (id) => approvals.get(DEFAULT_TENANT, id),
  decide: (id, decision, options) => approvals.decide(DEFAULT_TENANT, id, decision, options),
  rules: (page = {}) => approvals.rules(DEFAULT_TENANT, { take: DEFAULT_TAKE, ...page }),
  addRule: (rule, options) => approvals.addRule(DEFAULT_TENANT, rule, options),
  removeRule: (id) => approvals.removeRule(DEFAULT_TENANT, id),
});

export const embeddedStatistics = ({ statistics, runs }: Engine): TraconStatistics => ({
  get: (filter, options) => statistics.get(DEFAULT_TENANT, filter, options),
  timeSeries: (request) => statistics.timeSeries(DEFAULT_TENANT, request),
  errors: (query) => statistics.errors(DEFAULT_TENANT, query),
  toolUsage: ({ maxTools = DEFAULT_TAKE, ...query } = {}) =>
    runs.toolUsage(DEFAULT_TENANT, { ...query, maxTools }),
  criteria: (filter, options) => statistics.criteria(DEFAULT_TENANT, filter, options),
  recalculateCosts: (options) => statistics.recalculateCosts(DEFAULT_TENANT, options),
});
