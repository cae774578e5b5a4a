/**
 * The HTTP operations this client uses, and the only place that knows their methods and paths.
 * Every request is built from this table, so that holding the table against the OpenAPI document
 * holds the client against it.
 */

type Operation = { readonly method: "GET" | "POST" | "PUT" | "DELETE"; readonly path: string };

/** Method and path template, below the prefix, of every operation by its name in the client. */
export const operations = {
  meta: { method: "GET", path: "/api/meta" },
  "agents.list": { method: "GET", path: "/api/agents" },
  "agents.get": { method: "GET", path: "/api/agents/{name}" },
  "agents.create": { method: "POST", path: "/api/agents" },
  "agents.save": { method: "PUT", path: "/api/agents/{name}" },
  "agents.delete": { method: "DELETE", path: "/api/agents/{name}" },
  "agents.validate": { method: "POST", path: "/api/agents/validate" },
  "agents.versions": { method: "GET", path: "/api/agents/{name}/versions" },
  "agents.version": { method: "GET", path: "/api/agents/{name}/versions/{n}" },
  "agents.diff": { method: "GET", path: "/api/agents/{name}/versions/{a}/diff/{b}" },
  "agents.rollback": { method: "POST", path: "/api/agents/{name}/rollback" },
  "agents.estimate": { method: "POST", path: "/api/agents/{name}/estimate" },
  "agents.run": { method: "POST", path: "/api/agents/{name}/run" },
  "runs.list": { method: "GET", path: "/api/runs" },
  "runs.get": { method: "GET", path: "/api/runs/{runId}" },
  "runs.tree": { method: "GET", path: "/api/runs/{runId}/tree" },
  "runs.events": { method: "GET", path: "/api/runs/{runId}/events" },
  "runs.cancel": { method: "POST", path: "/api/runs/{runId}/cancel" },
  "runs.tools": { method: "GET", path: "/api/runs/{runId}/tools" },
  "runs.trace": { method: "GET", path: "/api/runs/{runId}/trace" },
  "runs.input": { method: "GET", path: "/api/runs/{runId}/input" },
  "sessions.list": { method: "GET", path: "/api/sessions" },
  "sessions.get": { method: "GET", path: "/api/sessions/{sessionId}" },
  "sessions.delete": { method: "DELETE", path: "/api/sessions/{sessionId}" },
  "sessions.branch": { method: "POST", path: "/api/sessions/{sessionId}/branch" },
  "approvals.pending": { method: "GET", path: "/api/approvals/pending" },
  "approvals.get": { method: "GET", path: "/api/approvals/{id}" },
  "approvals.decide": { method: "POST", path: "/api/approvals/{id}/decide" },
  "approvals.rules": { method: "GET", path: "/api/approvals/rules" },
  "approvals.createRule": { method: "POST", path: "/api/approvals/rules" },
  "approvals.deleteRule": { method: "DELETE", path: "/api/approvals/rules/{ruleId}" },
  "attachments.upload": { method: "POST", path: "/api/attachments" },
  "attachments.list": { method: "GET", path: "/api/attachments" },
  "attachments.content": { method: "GET", path: "/api/attachments/{id}" },
  "attachments.delete": { method: "DELETE", path: "/api/attachments/{id}" },
  "tools.list": { method: "GET", path: "/api/tools" },
  "tools.usage": { method: "GET", path: "/api/tools/usage" },
  "statistics.get": { method: "GET", path: "/api/stats" },
  "statistics.timeSeries": { method: "GET", path: "/api/stats/timeseries" },
  "statistics.errors": { method: "GET", path: "/api/stats/errors" },
  "statistics.criteria": { method: "GET", path: "/api/loop-criteria/economics" },
  "statistics.recalculateCosts": { method: "POST", path: "/api/stats/recalculate-costs" },
  "models.list": { method: "GET", path: "/api/models" },
  "extensions.list": { method: "GET", path: "/api/agent-extensions" },
  "loopCriteria.list": { method: "GET", path: "/api/loop-criteria" },
} as const satisfies Readonly<Record<string, Operation>>;

/** The name of an operation. */
export type OperationName = keyof typeof operations;

type ParameterNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterNames<Rest>
  : never;

/** The path parameters of one operation. */
export type PathParameters<Name extends OperationName> = Readonly<
  Record<ParameterNames<(typeof operations)[Name]["path"]>, string | number>
>;

/** The path of an operation with its parameters filled in. Throws a `TypeError` on one that cannot be a segment. */
export function pathOf<Name extends OperationName>(
  name: Name,
  parameters: PathParameters<Name>,
): string {
  const given: Readonly<Record<string, string | number>> = parameters;
  return operations[name].path.replace(/\{(\w+)\}/g, (_, key: string) => segment(key, given[key]));
}

function segment(key: string, value: string | number | undefined): string {
  const text = String(value ?? "");
  // These would silently address another operation: the list, or the parent path.
  if (text === "" || text === "." || text === "..") {
    throw new TypeError(`'${text}' cannot be the path parameter '${key}'`);
  }
  return encodeURIComponent(text);
}
