import { useQuery } from "@tanstack/react-query";
import type { LoopCriterionDescriptor } from "@tracon/core";
import { Plus } from "lucide-react";
import { useState } from "react";
import { loopCriteriaQuery } from "../../../../app/queries.ts";
import { failureOf } from "../../../../app/remedy.ts";
import { useServices } from "../../../../app/services.tsx";
import { Button } from "../../../../design/button.tsx";
import { Fold } from "../../../../design/fold.tsx";
import { useReorder } from "../../../../design/use-reorder.ts";
import { focusNext } from "../focus-next.ts";
import { useForm } from "../form-context.tsx";
import { FindingsOf } from "../form-field.tsx";
import { useItems } from "../group-fields.tsx";
import { isJsonObject, type Path, pathText } from "../json-path.ts";
import { CriterionCard } from "./criterion-card.tsx";
import { LOOP } from "./loop-path.ts";

const PATH: Path = [...LOOP, "criteria"];

/** What has to be satisfied before the loop ends, in the order in which it is asked. */
export function CriteriaField() {
  const { put } = useForm();
  const items = useItems(PATH);
  // Only where it starts: what is opened and closed later is the reader's business.
  const [startsOpen] = useState(items.length === 0);
  const reorder = useReorder({
    count: items.length,
    nameOf: (index) => kindOf(items[index]) || "The criterion",
    onMove: (from, to) => put(PATH, moved(items, from, to)),
  });
  const add = (kind: string) => {
    focusNext(
      reorder.list.current,
      ":scope > li:last-child [data-criterion-fields] :is(input, textarea, select, button), :scope > li:last-child [data-handle]",
      true,
    );
    put([...PATH, items.length], { kind });
  };
  return (
    <fieldset data-path={pathText(PATH)} className="col-span-full flex min-w-0 flex-col gap-2">
      <legend className="text-muted text-sm">Criteria</legend>
      <p className="text-faint text-sm">
        Asked from the top. The first that is not satisfied starts the next iteration, and those
        below it are not asked: put the cheapest first.
      </p>
      <ol ref={reorder.list} className="flex flex-col gap-2 empty:hidden">
        {items.map((item, index) => (
          <CriterionCard
            // biome-ignore lint/suspicious/noArrayIndexKey: the place in the list is the identity
            key={index}
            path={[...PATH, index]}
            kind={kindOf(item)}
            place={[index, items.length]}
            reorder={reorder}
            onRemove={() => {
              focusNext(reorder.list.current?.closest("fieldset"), "[data-add] summary");
              put(PATH, items.toSpliced(index, 1));
            }}
          />
        ))}
      </ol>
      <p role="status" className="sr-only">
        {reorder.said}
      </p>
      <FindingsOf path={PATH} exactly />
      <div data-add>
        <Fold summary="Add a criterion" isOpen={startsOpen}>
          <Kinds onAdd={add} />
        </Fold>
      </div>
    </fieldset>
  );
}

/** The kinds there are, each with what it says. */
function Kinds({ onAdd }: { readonly onAdd: (kind: string) => void }) {
  const { api } = useServices();
  const { data, error, refetch } = useQuery(loopCriteriaQuery(api));
  if (data !== undefined) {
    return (
      <ul className="flex flex-col gap-1">
        {data.criteria.map((criterion) => (
          <li key={criterion.kind} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Button
              icon={Plus}
              className="font-mono text-sm"
              aria-label={`Add ${criterion.kind}`}
              onClick={() => onAdd(criterion.kind)}
            >
              {criterion.kind}
            </Button>
            <span className="min-w-0 text-muted">{whatItIs(criterion)}</span>
          </li>
        ))}
      </ul>
    );
  }
  if (error === null) return <p className="text-muted">Reading the kinds there are…</p>;
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3">
      <span>The kinds there are cannot be read: {failureOf(error).detail}.</span>
      <Button onClick={() => void refetch()}>Try again</Button>
    </div>
  );
}

/** What a kind is, in its own words and, where it has none, in ours. */
function whatItIs({ description, isBuiltIn }: LoopCriterionDescriptor): string {
  if (isBuiltIn) return description ?? "";
  return description === undefined ? "Decided by code of this server." : `${description} (in code)`;
}

const kindOf = (item: unknown): string =>
  isJsonObject(item) && typeof item.kind === "string" ? item.kind : "";

const moved = (items: readonly unknown[], from: number, to: number): readonly unknown[] =>
  items.toSpliced(from, 1).toSpliced(to, 0, items[from]);
