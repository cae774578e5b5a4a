import { useQuery } from "@tanstack/react-query";
import type { RunStatus } from "@tracon/core";
import { X } from "lucide-react";
import { agentsQuery } from "../../app/queries.ts";
import { useServices } from "../../app/services.tsx";
import { Button } from "../../design/button.tsx";
import { Select } from "../../design/field.tsx";
import { shortenName } from "../../design/format.ts";
import { statusNames, statusWord } from "../../design/status.tsx";
import { type RunsSearch, type TimeWindow, timeWindows } from "./runs-route.ts";

const ALL = "";
/** On small screens the three share one line. */
const FILTER = "max-w-44 flex-1 md:flex-none";
const windowNames: Readonly<Record<TimeWindow, string>> = {
  "1h": "Last hour",
  "24h": "Last 24 hours",
  "7d": "Last 7 days",
  "30d": "Last 30 days",
};

/** Which runs are listed. What is chosen stands in the address. */
export function RunFilters(props: {
  readonly search: RunsSearch;
  readonly onChange: (search: RunsSearch) => void;
}) {
  const { api } = useServices();
  const { data: agents = [] } = useQuery(agentsQuery(api));
  const { search, onChange } = props;
  // An agent that is gone still has runs, so the chosen one is always among the options.
  const names = new Set([...(search.agent === undefined ? [] : [search.agent])]);
  for (const { name } of agents) names.add(name);

  return (
    <search className="flex flex-wrap gap-2 px-4 py-2" aria-label="Filters">
      <Select
        aria-label="Agent"
        className={FILTER}
        value={search.agent ?? ALL}
        onPick={(agent) => onChange(withMember(search, "agent", agent))}
        options={[
          { value: ALL, label: "All agents" },
          ...Array.from(names, (name) => ({ value: name, label: name })),
        ]}
      />
      <Select
        aria-label="Status"
        className={FILTER}
        value={search.status ?? ALL}
        onPick={(status) => onChange(withMember(search, "status", status as RunStatus))}
        options={[
          { value: ALL, label: "Any status" },
          ...statusNames.map((status) => ({ value: status, label: statusWord(status) })),
        ]}
      />
      <Select
        aria-label="Time"
        className={FILTER}
        value={search.since ?? ALL}
        onPick={(since) => onChange(withMember(search, "since", since as TimeWindow))}
        options={[
          { value: ALL, label: "Any time" },
          ...timeWindows.map((since) => ({ value: since, label: windowNames[since] })),
        ]}
      />
      {search.session === undefined ? null : (
        <Button icon={X} onClick={() => onChange(withMember(search, "session", ALL))}>
          Session {shortenName(search.session)}
        </Button>
      )}
    </search>
  );
}

function withMember<Key extends keyof RunsSearch>(
  search: RunsSearch,
  key: Key,
  value: NonNullable<RunsSearch[Key]> | typeof ALL,
): RunsSearch {
  const others = Object.entries(search).filter(([name]) => name !== key);
  return Object.fromEntries(value === ALL ? others : [...others, [key, value]]);
}
