import type { ComponentProps, ReactNode } from "react";
import { classNames } from "./class-names.ts";

export const CONTROL =
  "h-7 min-w-0 rounded-md border border-edge bg-surface px-2 text-ink placeholder:text-faint";

/** A control with its name above it. */
export const Field = (props: {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly children: ReactNode;
}) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
  <label className="flex flex-col gap-1">
    <span className="text-muted text-sm">{props.label}</span>
    {props.children}
    {props.hint === undefined ? null : <span className="text-faint text-sm">{props.hint}</span>}
  </label>
);

export const TextInput = ({ className, ...rest }: ComponentProps<"input">) => (
  <input className={classNames(CONTROL, className)} {...rest} />
);

type SelectProps = Omit<ComponentProps<"select">, "onChange" | "children"> & {
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onPick: (value: string) => void;
};

/** The platform's own list: works by keyboard and on phones, and needs no style element. */
export const Select = ({ options, onPick, className, ...rest }: SelectProps) => (
  <select
    className={classNames(CONTROL, "pr-1", className)}
    onChange={(event) => onPick(event.target.value)}
    {...rest}
  >
    {options.map((option) => (
      <option key={option.value} value={option.value}>
        {option.label}
      </option>
    ))}
  </select>
);
