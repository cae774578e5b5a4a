import { useMemo, useState } from "react";
import { Button } from "../../design/button.tsx";
import { classNames } from "../../design/class-names.ts";
import { collapseSame, type DiffLine, type DiffRow, diffLines } from "./diff-lines.ts";

const CONTEXT_ROWS = 3;

/** Two texts side by side. */
export function JsonDiff(props: {
  readonly left: { readonly title: string; readonly text: string };
  readonly right: { readonly title: string; readonly text: string };
}) {
  const { left, right } = props;
  const [isWhole, setWhole] = useState(false);
  const rows = useMemo(() => diffLines(left.text, right.text), [left.text, right.text]);
  const changes = rows.filter((row) => row.kind === "changed").length;
  const shown = isWhole ? rows : collapseSame(rows, CONTEXT_ROWS);

  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-center gap-3">
        <p className="text-muted">
          {changes === 0
            ? "No difference"
            : `${changes} changed ${changes === 1 ? "line" : "lines"}`}
        </p>
        <Button tone="quiet" onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show changes only" : "Show every line"}
        </Button>
      </div>
      <section
        aria-label="Differences"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
        className="overflow-x-auto rounded-md border border-hairline"
      >
        <table className="w-full min-w-3xl table-fixed border-collapse font-mono text-sm">
          <colgroup>
            <col className="w-10" />
            <col />
            <col className="w-10" />
            <col />
          </colgroup>
          <thead>
            <tr className="border-hairline border-b text-left font-sans text-muted">
              <th scope="col" colSpan={2} className="px-2 py-1 font-medium">
                {left.title}
              </th>
              <th
                scope="col"
                colSpan={2}
                className="border-hairline border-l px-2 py-1 font-medium"
              >
                {right.title}
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity of their own
              <Row key={index} row={row} />
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}

function Row({ row }: { readonly row: DiffRow | number }) {
  if (typeof row === "number") {
    return (
      <tr className="bg-raised text-muted">
        <td colSpan={4} className="py-0.5 font-sans">
          <span className="sticky left-2 ml-2">
            {row} equal {row === 1 ? "line" : "lines"}
          </span>
        </td>
      </tr>
    );
  }
  const isChanged = row.kind === "changed";
  return (
    <tr className="align-top">
      <Side line={row.left} mark={isChanged ? "−" : ""} className={isChanged ? "bg-raised" : ""} />
      <Side
        line={row.right}
        mark={isChanged ? "+" : ""}
        className={classNames("border-hairline", isChanged && "bg-accent-soft")}
        isRight
      />
    </tr>
  );
}

const Side = (props: {
  readonly line: DiffLine | undefined;
  readonly mark: string;
  readonly className: string;
  readonly isRight?: boolean;
}) => (
  <>
    <td
      className={classNames(
        "select-none px-1 text-right text-muted tabular-nums",
        props.isRight && "border-l",
        props.line !== undefined && props.className,
        props.isRight && "border-hairline",
      )}
    >
      {props.line?.number}
    </td>
    <td
      className={classNames(
        "whitespace-pre-wrap px-1 [overflow-wrap:anywhere]",
        props.line !== undefined && props.className,
      )}
    >
      {props.line === undefined ? null : (
        <>
          <span className="inline-block w-4 select-none text-muted">{props.mark}</span>
          {props.line.text}
        </>
      )}
    </td>
  </>
);
