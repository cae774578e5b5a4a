import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useId, useState } from "react";
import { agentsQuery } from "../app/queries.ts";
import { useServices } from "../app/services.tsx";
import { classNames } from "../design/class-names.ts";
import { Dialog } from "../design/dialog.tsx";
import { TextInput } from "../design/field.tsx";
import { type PaletteItem, paletteItems } from "./palette-items.ts";

/** Everything one can go to, by typing. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const { api } = useServices();
  const { data: agents = [] } = useQuery(agentsQuery(api));
  const [typed, setTyped] = useState("");
  const [marked, setMarked] = useState(0);
  const open = useOpenItem(onClose);
  const listId = useId();
  const items = paletteItems(typed, agents);
  const current = items[Math.min(marked, items.length - 1)];

  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setMarked((marked + step + items.length) % Math.max(items.length, 1));
    }
    if (event.key === "Enter" && current !== undefined) open(current);
  };

  return (
    <Dialog title="Go to" onClose={onClose}>
      <TextInput
        data-autofocus
        role="combobox"
        aria-label="Search screens, agents and run ids"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={current === undefined ? undefined : `${listId}-${current.key}`}
        placeholder="Screen, agent or run id"
        className="w-full"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setMarked(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={listId} role="listbox" aria-label="Results" className="mt-2 max-h-80 overflow-auto">
        {items.map((item) => (
          <PaletteRow
            key={item.key}
            id={`${listId}-${item.key}`}
            item={item}
            isMarked={item === current}
            onOpen={() => open(item)}
          />
        ))}
      </div>
      <p role="status" className={classNames("px-2 text-muted", items.length > 0 && "sr-only")}>
        {items.length === 0 ? "Nothing of that name." : `${items.length} results`}
      </p>
    </Dialog>
  );
}

const PaletteRow = (props: {
  readonly id: string;
  readonly item: PaletteItem;
  readonly isMarked: boolean;
  readonly onOpen: () => void;
}) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
  <div
    id={props.id}
    role="option"
    tabIndex={-1}
    aria-selected={props.isMarked}
    onClick={props.onOpen}
    ref={(row) => {
      if (props.isMarked) row?.scrollIntoView({ block: "nearest" });
    }}
    className="flex h-8 cursor-pointer items-center justify-between gap-2 rounded-md px-2 hover:bg-raised aria-selected:bg-accent-soft"
  >
    <span className="truncate">{props.item.title}</span>
    <span className="text-muted text-sm">{props.item.group}</span>
  </div>
);

function useOpenItem(onClose: () => void): (item: PaletteItem) => void {
  const navigate = useNavigate();
  return ({ target }) => {
    onClose();
    if ("agent" in target) void navigate({ to: target.to, search: { agent: target.agent } });
    else if ("name" in target) void navigate({ to: target.to, params: { name: target.name } });
    else if ("runId" in target) void navigate({ to: target.to, params: { runId: target.runId } });
    else void navigate({ to: target.to });
  };
}
