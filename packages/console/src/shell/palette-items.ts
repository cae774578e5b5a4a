/** What the palette offers for what was typed. */

import type { AgentDescriptor } from "@tracon/core";
import { type Destination, navigation } from "./navigation.ts";

export type PaletteItem = {
  readonly key: string;
  readonly group: "Go to" | "Agents" | "Runs";
  readonly title: string;
  readonly target:
    | { readonly to: Destination["to"] | "/new-agent" }
    | { readonly to: "/playground"; readonly agent: string }
    | { readonly to: "/agents/$name"; readonly name: string }
    | { readonly to: "/runs/$runId"; readonly runId: string };
};

/** More would not be read. */
const MAX_ITEMS = 30;
const RUN_ID = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i;

export function paletteItems(
  typed: string,
  agents: readonly AgentDescriptor[],
): readonly PaletteItem[] {
  const query = typed.trim().toLowerCase();
  if (RUN_ID.test(query)) return [runItem(query)];
  const all = [...screenItems(), ...agents.flatMap(agentItems)];
  return all
    .map((item) => ({ item, rank: rankOf(item.title.toLowerCase(), query) }))
    .filter(({ rank }) => rank !== undefined)
    .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
    .slice(0, MAX_ITEMS)
    .map(({ item }) => item);
}

/** Lower is better: the start, then the start of a word, then inside. Every word must be there. */
function rankOf(title: string, query: string): number | undefined {
  if (query === "") return 0;
  let rank = 0;
  for (const word of query.split(/\s+/)) {
    const at = title.indexOf(word);
    if (at < 0) return undefined;
    if (at > 0) rank += /[\s._-]/.test(title.charAt(at - 1)) ? 1 : 2;
  }
  return rank;
}

function screenItems(): PaletteItem[] {
  const screens = navigation.flatMap(({ destinations }) =>
    destinations.map(
      ({ to, title }): PaletteItem => ({ key: to, group: "Go to", title, target: { to } }),
    ),
  );
  const create: PaletteItem = {
    key: "/new-agent",
    group: "Go to",
    title: "New agent",
    target: { to: "/new-agent" },
  };
  return [...screens, create];
}

function agentItems({ name }: AgentDescriptor): PaletteItem[] {
  return [
    {
      key: `run:${name}`,
      group: "Agents",
      title: `Run ${name}`,
      target: { to: "/playground", agent: name },
    },
    {
      key: `agent:${name}`,
      group: "Agents",
      title: `Open ${name}`,
      target: { to: "/agents/$name", name },
    },
  ];
}

function runItem(typed: string): PaletteItem {
  const hex = typed.replaceAll("-", "");
  const runId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  return {
    key: `run-id:${runId}`,
    group: "Runs",
    title: `Open run ${runId}`,
    target: { to: "/runs/$runId", runId },
  };
}
