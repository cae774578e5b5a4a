/** The tenant of every request, until callers bring their own. The only place that names it. */
export const TENANT_ID = "default";
