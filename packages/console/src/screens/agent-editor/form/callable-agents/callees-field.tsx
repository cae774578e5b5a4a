import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { agentsQuery } from "../../../../app/queries.ts";
import { useServices } from "../../../../app/services.tsx";
import { TextInput } from "../../../../design/field.tsx";
import { useForm, useMember } from "../form-context.tsx";
import { FindingsOf } from "../form-field.tsx";
import { useItems } from "../group-fields.tsx";
import { isJsonObject, type Path, pathText } from "../json-path.ts";
import { VersionField } from "../version-field.tsx";
import { type CalleeRow, calleeRows, toolNameOf } from "./callee-rows.ts";

const PATH: Path = ["callableAgents"];
/** Names above this many can be searched. */
const SEARCH_FROM = 8;

/** The agents to pick from, each that is picked with its version and what is wrong with it. */
export function CalleesField() {
  const { api } = useServices();
  const agents = useQuery(agentsQuery(api)).data ?? [];
  const own = useMember(["name"]);
  const items = useItems(PATH);
  const [wanted, setWanted] = useState("");
  const [first] = useState(items);
  const rows = calleeRows(
    items,
    first,
    agents.filter(({ name }) => name !== own),
  );
  const shown = rows.filter(({ name, description = "" }) =>
    `${name} ${description}`.toLowerCase().includes(wanted.trim().toLowerCase()),
  );
  return (
    <fieldset data-path={pathText(PATH)} className="col-span-full flex min-w-0 flex-col gap-2">
      <legend className="text-muted text-sm">Agents it may call</legend>
      {rows.length < SEARCH_FROM ? null : (
        <TextInput
          type="search"
          aria-label="Search agents"
          placeholder={`Search ${rows.length} agents by name and description`}
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
        />
      )}
      {shown.length === 0 ? (
        <p className="text-faint">
          {rows.length === 0 ? "There is no other agent on this server." : "No agent is like that."}
        </p>
      ) : (
        <ul className="flex max-h-96 flex-col overflow-auto">
          {shown.map((row) => (
            <Callee key={`${row.name} ${row.index ?? ""}`} row={row} items={items} />
          ))}
        </ul>
      )}
      <FindingsOf path={PATH} exactly />
    </fieldset>
  );
}

function Callee({ row, items }: { readonly row: CalleeRow; readonly items: readonly unknown[] }) {
  const { edit } = useForm();
  const id = useId();
  const { name, index, description } = row;
  const isTool = useMember(["subAgents", "callMode"]) === "Tool";
  const check = () => edit(PATH, [...items, { name }]);
  const uncheck = (at: number) => edit(PATH, items.toSpliced(at, 1));
  return (
    <li className="flex flex-col gap-1 py-1">
      <div
        data-path={index === undefined ? undefined : pathText([...PATH, index])}
        className="flex items-start gap-2"
      >
        <input
          id={id}
          type="checkbox"
          className="mt-0.5 size-4 shrink-0 accent-accent"
          checked={index !== undefined}
          onChange={() => (index === undefined ? check() : uncheck(index))}
        />
        <label htmlFor={id} className="min-w-0 [overflow-wrap:anywhere]">
          <span className="font-mono text-sm">{name === "" ? "no name" : name}</span>{" "}
          <span className="text-muted">{description}</span>
        </label>
      </div>
      {index === undefined ? null : (
        <div className="flex flex-col gap-1 pl-6">
          {isTool ? (
            <p className="text-faint text-sm">
              The model calls it as <code>{toolNameOf(name)}</code>.
            </p>
          ) : null}
          <CalleeVersion row={row} index={index} />
          <FindingsOf path={[...PATH, index, "name"]} />
          <FindingsOf path={[...PATH, index]} exactly />
        </div>
      )}
    </li>
  );
}

function CalleeVersion({ row, index }: { readonly row: CalleeRow; readonly index: number }) {
  const { put } = useForm();
  const path = [...PATH, index];
  const item = useMember(path);
  const members = isJsonObject(item) ? item : { name: row.name };
  if (!row.hasVersions && members.version === undefined) return null;
  const pin = (version: number | undefined) => {
    const { version: _, ...others } = members;
    // A name alone stays one until it is pinned.
    if (version !== undefined) put(path, { ...members, version });
    else if (isJsonObject(item)) put(path, others);
  };
  return (
    <VersionField
      path={[...path, "version"]}
      label={`Version of ${row.name} to run`}
      agent={row.name}
      onPick={pin}
    />
  );
}
