/** The jobs, by group. The order is that of a first round; later rounds begin elsewhere. */

export type Job = {
  readonly group: string;
  /** What it is called in results and tables. */
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly needs: ReadonlySet<Need>;
};

/** What a job needs beside the repository. */
export type Need = "postgres" | "peers";

const job = (
  group: string,
  file: string,
  args: readonly string[],
  ...needs: readonly Need[]
): Job => ({
  group,
  name: nameOf(group, file, args),
  file: `jobs/${file}.ts`,
  args,
  needs: new Set(args.includes("postgres") ? [...needs, "postgres"] : needs),
});

/** `durable/product sqlite`, `durable/commit sqlite`, `agents`. */
function nameOf(group: string, file: string, args: readonly string[]): string {
  const words = args.filter((arg) => arg !== "none");
  if (file !== group) words.unshift(file);
  return words.length === 0 ? group : `${group}/${words.join(" ")}`;
}

export const plan: readonly Job[] = [
  job("durable", "durable", ["product", "sqlite"]),
  job("durable", "durable", ["product-sessions", "sqlite"]),
  job("durable", "durable", ["reference", "sqlite"]),
  job("durable", "durable", ["ai", "none"], "peers"),
  job("durable", "durable", ["langgraph", "sqlite"], "peers"),
  job("durable", "commit", ["sqlite"]),
  job("durable", "durable", ["product", "postgres"]),
  job("durable", "durable", ["product-sessions", "postgres"]),
  job("durable", "durable", ["reference", "postgres"]),
  job("durable", "durable", ["dbos", "postgres"], "peers"),
  job("durable", "commit", ["postgres"]),
  job("durable", "durable-points", []),
  job("stream", "stream", ["product", "sqlite"]),
  job("stream", "stream", ["ai", "none"], "peers"),
  job("stream", "stream", ["openai-agents", "none"], "peers"),
  job("stream", "stream", ["reference", "sqlite"]),
  job("tool-calls", "tool-calls", ["product", "sqlite"]),
  job("tool-calls", "tool-calls", ["ai", "none"], "peers"),
  job("event-streams", "event-streams", []),
  job("list", "list", ["sqlite"]),
  job("list", "list", ["postgres"]),
  job("budget", "budget", []),
  job("loops", "loops", ["sqlite"]),
  job("loops", "loops", ["postgres"]),
  job("trees", "trees", ["sqlite"]),
  job("trees", "trees", ["postgres"]),
  job("cancel", "cancel", []),
  job("approvals", "approvals", ["sqlite"]),
  job("approvals", "approvals", ["postgres"]),
  job("agents", "agents", []),
  job("http", "http", ["product", "sqlite"]),
  job("http", "http", ["reference", "sqlite"]),
  job("http", "http", ["product", "postgres"]),
  job("http", "http", ["reference", "postgres"]),
  job("capacity", "capacity", ["product", "sqlite"]),
  job("capacity", "capacity", ["reference", "sqlite"]),
  job("capacity", "capacity", ["product", "postgres"]),
  job("start-up", "start-up", []),
];

export const groups: readonly string[] = [...new Set(plan.map(({ group }) => group))];
