/** Fields that hold others: settings that are there or not, rows, names to pick. */

import { Plus, X } from "lucide-react";
import { type ReactNode, useId, useRef, useState } from "react";
import { Button, IconButton } from "../../../design/button.tsx";
import { Field, TextInput } from "../../../design/field.tsx";
import { focusNext } from "./focus-next.ts";
import { useForm, useMember } from "./form-context.tsx";
import { FindingsOf } from "./form-field.tsx";
import { isJsonObject, type Path, pathText, readAt } from "./json-path.ts";

/** Settings that exist only when they are asked for. Turned on again, they are what they were. */
export function SettingsSwitch(props: {
  readonly path: Path;
  readonly label: string;
  readonly hint?: string;
  readonly children: ReactNode;
}) {
  const { document, put } = useForm();
  const owner = props.path.slice(0, -1);
  const members = useMember(owner);
  const hasMadeOwner = useRef(false);
  const isOn = useMember(props.path) !== undefined;
  const turnOn = () => {
    hasMadeOwner.current = members === undefined;
    put(props.path, readAt(document.baseline, props.path) ?? {});
  };
  const turnOff = () => {
    // What was made to hold these settings, and holds nothing else, goes with them.
    const isAlone = isJsonObject(members) && Object.keys(members).length === 1;
    put(hasMadeOwner.current && isAlone ? owner : props.path, undefined);
  };
  return (
    <div data-path={pathText(props.path)} className="col-span-full flex flex-col gap-3">
      <div>
        <label className="inline-flex items-center gap-2">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={isOn}
            onChange={(event) => (event.target.checked ? turnOn() : turnOff())}
          />
          {props.label}
        </label>
        {props.hint === undefined ? null : <p className="text-faint text-sm">{props.hint}</p>}
        <FindingsOf path={props.path} exactly />
      </div>
      {isOn ? <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2">{props.children}</div> : null}
    </div>
  );
}

export function useItems(path: Path): readonly unknown[] {
  const value = useMember(path);
  return Array.isArray(value) ? value : [];
}

/** A list of things, each with its own fields. */
export function RowsField(props: {
  readonly path: Path;
  readonly label: string;
  /** One of them, as the buttons name it. */
  readonly item: string;
  readonly hint?: string;
  readonly newItem: unknown;
  readonly row: (path: Path, index: number) => ReactNode;
}) {
  const { edit, put } = useForm();
  const items = useItems(props.path);
  return (
    <fieldset data-path={pathText(props.path)} className="col-span-full flex flex-col gap-2">
      <legend className="text-muted text-sm">{props.label}</legend>
      {props.hint === undefined ? null : <p className="text-faint text-sm">{props.hint}</p>}
      {items.map((_, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: the place in the list is the identity
          key={index}
          data-row-item
          className="flex items-start gap-2 rounded-md border border-hairline p-2"
        >
          <div className="grid min-w-0 flex-1 gap-2 sm:grid-cols-2">
            {props.row([...props.path, index], index)}
          </div>
          <IconButton
            icon={X}
            label={`Remove ${props.item} ${index + 1}`}
            onClick={(event) => {
              focusNext(event.currentTarget.closest("fieldset"), "[data-add]");
              edit(props.path, items.toSpliced(index, 1));
            }}
          />
        </div>
      ))}
      <FindingsOf path={props.path} exactly />
      <div>
        <Button
          data-add
          icon={Plus}
          onClick={(event) => {
            focusNext(
              event.currentTarget.closest("fieldset"),
              ":scope > [data-row-item] > div > :first-child :is(input, select)",
              true,
            );
            put([...props.path, items.length], props.newItem);
          }}
        >
          Add {props.item}
        </Button>
      </div>
    </fieldset>
  );
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** A list of texts. */
export function NamesField(props: {
  readonly path: Path;
  readonly label: string;
  /** One of them, as the buttons name it. */
  readonly item: string;
  readonly hint?: string;
}) {
  const { edit, put } = useForm();
  const items = useItems(props.path);
  return (
    <fieldset data-path={pathText(props.path)} className="col-span-full flex flex-col gap-2">
      <legend className="text-muted text-sm">{props.label}</legend>
      {props.hint === undefined ? null : <p className="text-faint text-sm">{props.hint}</p>}
      {items.map((item, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: the place in the list is the identity
          key={index}
          data-path={pathText([...props.path, index])}
          className="flex gap-2"
        >
          <TextInput
            aria-label={`${capitalized(props.item)} ${index + 1}`}
            className="flex-1"
            readOnly={typeof item !== "string"}
            value={typeof item === "string" ? item : JSON.stringify(item)}
            onChange={(event) => edit([...props.path, index], event.target.value)}
          />
          <IconButton
            icon={X}
            label={`Remove ${props.item} ${index + 1}`}
            onClick={(event) => {
              focusNext(event.currentTarget.closest("fieldset"), "[data-add]");
              edit(props.path, items.toSpliced(index, 1));
            }}
          />
        </div>
      ))}
      <FindingsOf path={props.path} />
      <div>
        <Button
          data-add
          icon={Plus}
          onClick={(event) => {
            focusNext(event.currentTarget.closest("fieldset"), "input", true);
            put([...props.path, items.length], "");
          }}
        >
          Add {props.item}
        </Button>
      </div>
    </fieldset>
  );
}

/** Asks for a new key. `refuse` says what is wrong with one. */
export function NewKey(props: {
  readonly label: string;
  readonly addLabel: string;
  readonly placeholder: string;
  readonly refuse: (key: string) => string | undefined;
  readonly onAdd: (key: string) => void;
}) {
  const [key, setKey] = useState("");
  const problem = key === "" ? undefined : props.refuse(key);
  const add = () => {
    if (key === "" || problem !== undefined) return;
    props.onAdd(key);
    setKey("");
  };
  return (
    <div className="flex flex-wrap items-end gap-2">
      <Field label={props.label} hint={problem}>
        <TextInput
          data-new-key
          value={key}
          placeholder={props.placeholder}
          aria-invalid={problem !== undefined || undefined}
          onChange={(event) => setKey(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter") add();
          }}
        />
      </Field>
      <Button icon={Plus} disabled={key === "" || problem !== undefined} onClick={add}>
        {props.addLabel}
      </Button>
    </div>
  );
}

export type Pick = {
  readonly name: string;
  readonly description?: string | undefined;
};

/** Names above this many can be filtered. */
const FILTER_FROM = 8;

/**
 * Names to pick from a list. What the definition names and the list lacks stays and can be
 * unchecked; it says that it is not registered.
 */
export function PicksField(props: {
  readonly path: Path;
  readonly label: string;
  readonly offered: readonly Pick[];
}) {
  const { edit } = useForm();
  const items = useItems(props.path);
  const [filter, setFilter] = useState("");
  const id = useId();
  const chosen = items.map(plainName);
  const known = new Set(props.offered.map(({ name }) => name));
  const foreign = chosen.filter((name) => name !== undefined && !known.has(name)) as string[];
  const all: readonly Pick[] = [
    ...[...new Set(foreign)].map((name) => ({ name, description: "Not registered here." })),
    ...props.offered,
  ];
  const shown = all.filter(({ name, description = "" }) =>
    `${name} ${description}`.toLowerCase().includes(filter.trim().toLowerCase()),
  );
  const toggle = (name: string, isOn: boolean) =>
    edit(props.path, isOn ? [...items, name] : items.filter((item) => plainName(item) !== name));
  return (
    <fieldset data-path={pathText(props.path)} className="col-span-full flex flex-col gap-2">
      <legend className="text-muted text-sm">{props.label}</legend>
      {all.length < FILTER_FROM ? null : (
        <TextInput
          aria-label={`Filter ${props.label.toLowerCase()}`}
          placeholder="Filter"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
      )}
      {all.length === 0 ? <p className="text-faint">There is none on this server.</p> : null}
      <ul className="flex max-h-80 flex-col overflow-auto">
        {shown.map(({ name, description }) => (
          <li key={name} className="flex items-start gap-2 py-1">
            <input
              id={`${id}-${name}`}
              type="checkbox"
              className="mt-0.5 size-4 shrink-0 accent-accent"
              checked={chosen.includes(name)}
              onChange={(event) => toggle(name, event.target.checked)}
            />
            <label htmlFor={`${id}-${name}`} className="min-w-0">
              <span className="font-mono text-sm">{name}</span>{" "}
              <span className="text-muted">{description}</span>
            </label>
          </li>
        ))}
      </ul>
      <FindingsOf path={props.path} />
    </fieldset>
  );
}

const plainName = (item: unknown): string | undefined =>
  typeof item === "string" ? item : undefined;
