import { ChevronRight } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useForm } from "./form-context.tsx";
import { isWithin, type Path, parsePath } from "./json-path.ts";

/** A part of the form that folds. Its head says what is in it and how much of it is wrong. */
export function FormSection(props: {
  readonly title: string;
  /** Paths of the members it edits. */
  readonly members: readonly string[];
  /** Paths below them that another section edits. */
  readonly otherwhere?: readonly string[];
  /** In a few words, what is set. */
  readonly summary?: string | undefined;
  readonly isOpen?: boolean;
  readonly children: ReactNode;
}) {
  const { findings } = useForm();
  // Only where it starts: what is opened and closed later is the reader's business.
  const [startsOpen] = useState(props.isOpen ?? false);
  const { members, otherwhere = [] } = props;
  const here = findings
    .map(({ path, severity }) => ({ at: parsePath(path), severity }))
    .filter(({ at }) => isIn(at, members) && !isIn(at, otherwhere));
  const errors = here.filter(({ severity }) => severity === "Error").length;
  return (
    <details open={startsOpen} className="group/section border-hairline border-b">
      <summary className="flex min-h-9 items-center gap-2 px-4 hover:bg-raised [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          className="size-3.5 shrink-0 text-faint group-open/section:rotate-90"
        />
        <h2 className="font-semibold">{props.title}</h2>
        <span className="min-w-0 truncate text-faint text-sm">{props.summary}</span>
        <span className="ml-auto flex shrink-0 gap-2 text-sm">
          {errors === 0 ? null : <span className="text-failed">{counted(errors, "error")}</span>}
          {here.length === errors ? null : (
            <span className="text-waiting">{counted(here.length - errors, "warning")}</span>
          )}
        </span>
      </summary>
      <div className="grid gap-x-4 gap-y-3 px-4 pt-1 pb-4 sm:grid-cols-2">{props.children}</div>
    </details>
  );
}

const isIn = (path: Path, members: readonly string[]): boolean =>
  members.some((member) => isWithin(path, parsePath(member)));

export const counted = (count: number, word: string, plural = `${word}s`): string =>
  `${count} ${count === 1 ? word : plural}`;
