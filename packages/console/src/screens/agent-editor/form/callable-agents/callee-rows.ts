/** The agents a definition may call and those it could, as the rows to check and uncheck. */

import { isJsonObject } from "../json-path.ts";

export type OfferedAgent = {
  readonly name: string;
  readonly description?: string | undefined;
  readonly origin: string;
};

export type CalleeRow = {
  readonly name: string;
  /** Place among the agents it may call; absent for one that it does not call. */
  readonly index: number | undefined;
  readonly description: string | undefined;
  /** Stored here, and so with versions to choose from. */
  readonly hasVersions: boolean;
};

/** The name of an entry, which is an object or, in short, its name alone. */
export function calleeName(item: unknown): string | undefined {
  const name = isJsonObject(item) ? item.name : item;
  return typeof name === "string" ? name : undefined;
}

/**
 * One row for each entry, also for a name that is listed twice, and one for each agent that is not
 * listed. What was listed when the form was opened comes first and stays there, so that checking an
 * agent does not move it away from the pointer.
 */
export function calleeRows(
  items: readonly unknown[],
  listedFirst: readonly unknown[],
  offered: readonly OfferedAgent[],
): readonly CalleeRow[] {
  const known = new Map(offered.map((agent) => [agent.name, agent]));
  const first = new Set(listedFirst.flatMap((item) => calleeName(item) ?? []));
  const listed = items.map((item) => calleeName(item) ?? "");
  const names = new Set([
    ...first,
    ...listed.filter((name) => !known.has(name)),
    ...offered.map(({ name }) => name),
  ]);
  return [...names].flatMap((name): readonly CalleeRow[] => {
    const agent = known.get(name);
    const row = {
      name,
      description: agent === undefined ? "There is no agent of that name." : agent.description,
      hasVersions: agent?.origin === "Database",
    };
    const places = listed.flatMap((it, index) => (it === name ? [index] : []));
    if (places.length > 0) return places.map((index) => ({ ...row, index }));
    return agent === undefined ? [] : [{ ...row, index: undefined }];
  });
}

/** The tool that calls an agent, where each is a tool: the rule of the server. */
export const toolNameOf = (agentName: string): string =>
  agentName.replace(/[^\p{L}\p{Nd}]+/gu, "_");
