import { useQuery } from "@tanstack/react-query";
import type { LoopCriterionDescriptor } from "@tracon/core";
import { ArrowDown, ArrowUp, GripVertical, X } from "lucide-react";
import { type ReactNode, useId } from "react";
import { loopCriteriaQuery } from "../../../../app/queries.ts";
import { useServices } from "../../../../app/services.tsx";
import { IconButton } from "../../../../design/button.tsx";
import { classNames } from "../../../../design/class-names.ts";
import { Select } from "../../../../design/field.tsx";
import type { Reorder } from "../../../../design/use-reorder.ts";
import { useFindings, useForm } from "../form-context.tsx";
import { FindingsOf } from "../form-field.tsx";
import { type Path, pathText } from "../json-path.ts";
import { CriterionFields } from "./criterion-fields.tsx";

type CardProps = {
  readonly path: Path;
  readonly kind: string;
  readonly place: readonly [index: number, count: number];
  readonly reorder: Reorder;
  readonly onRemove: () => void;
};

/** One criterion: its kind, what that reads, and the ways to move and remove it. */
export function CriterionCard(props: CardProps) {
  const { path, kind } = props;
  const { api } = useServices();
  const criteria = useQuery(loopCriteriaQuery(api)).data;
  const descriptor = criteria?.criteria.find((it) => it.kind === kind);
  const [index] = props.place;
  const { drag } = props.reorder;
  return (
    <li
      data-row-item
      data-path={pathText(path)}
      className={classNames(
        "relative flex flex-col gap-2 rounded-md border border-hairline bg-surface p-2",
        drag?.from === index && "opacity-50",
      )}
    >
      {drag === undefined || drag.from === drag.to || drag.to !== index ? null : (
        <span
          aria-hidden
          className={classNames(
            "absolute inset-x-0 h-0.5 bg-accent",
            drag.to < drag.from ? "-top-1.5" : "-bottom-1.5",
          )}
        />
      )}
      <Head {...props}>
        <KindPick path={path} kind={kind} index={index} kinds={criteria?.criteria ?? []} />
      </Head>
      {descriptor?.description === undefined ? null : (
        <p className="text-muted">{descriptor.description}</p>
      )}
      <FindingsOf path={[...path, "kind"]} />
      <CriterionFields
        path={path}
        kind={kind}
        descriptor={descriptor}
        judge={criteria?.judge}
        isKnown={criteria !== undefined}
      />
      <FindingsOf path={path} exactly />
    </li>
  );
}

/** The row of controls. The arrows are for those who do not drag; by keyboard the handle moves it. */
function Head(props: CardProps & { readonly children: ReactNode }) {
  const { kind, reorder } = props;
  const [index, count] = props.place;
  const name = `criterion ${index + 1}${kind === "" ? "" : `, ${kind}`}`;
  return (
    <div className="flex items-center gap-2">
      <IconButton
        icon={GripVertical}
        label={`Move ${name}: drag it, or use the arrow keys`}
        className="cursor-grab touch-none"
        disabled={count === 1}
        {...reorder.handle(index)}
      />
      {props.children}
      <span className="ml-auto flex">
        <IconButton
          icon={ArrowUp}
          label={`Move ${name} up`}
          tabIndex={-1}
          disabled={index === 0}
          onClick={() => reorder.move(index, index - 1)}
        />
        <IconButton
          icon={ArrowDown}
          label={`Move ${name} down`}
          tabIndex={-1}
          disabled={index === count - 1}
          onClick={() => reorder.move(index, index + 1)}
        />
        <IconButton icon={X} label={`Remove ${name}`} onClick={props.onRemove} />
      </span>
    </div>
  );
}

/** What is set and not read by the new kind stays until somebody removes it. */
function KindPick(props: {
  readonly path: Path;
  readonly kind: string;
  readonly index: number;
  readonly kinds: readonly LoopCriterionDescriptor[];
}) {
  const { put } = useForm();
  const path = [...props.path, "kind"];
  const isInvalid = useFindings(path).some(({ severity }) => severity === "Error");
  const names = props.kinds.map(({ kind }) => kind);
  const others = names.includes(props.kind) ? [] : [props.kind];
  const id = useId();
  return (
    <div data-path={pathText(path)} className="flex min-w-0 items-center gap-2">
      <label htmlFor={id} className="text-muted tabular-nums">
        {props.index + 1}.<span className="sr-only"> Kind of criterion {props.index + 1}</span>
      </label>
      <Select
        id={id}
        aria-invalid={isInvalid || undefined}
        className="min-w-0 font-mono text-sm"
        value={props.kind}
        onPick={(kind) => put(path, kind)}
        options={[...others, ...names].map((kind) => ({
          value: kind,
          label: kind === "" ? "no kind" : kind,
        }))}
      />
    </div>
  );
}
