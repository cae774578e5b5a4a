import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

export type Column = {
  readonly title: string;
  /** Width class; one column has none and takes the rest. */
  readonly width: string;
  /** Left out where the screen is narrow. */
  readonly isWideOnly?: boolean;
  /** Numbers stand at the right in figures of one width. */
  readonly isFigure?: boolean;
};

const cellClass = ({ isWideOnly = false, isFigure = false }: Column): string =>
  classNames(
    "truncate px-1.5 first:pl-4 last:pr-4",
    isWideOnly && "hidden md:table-cell",
    isFigure && "text-right tabular-nums md:pr-5",
  );

/** A table of rows of one height. Its head stays in sight. */
export const DataTable = (props: {
  readonly label: string;
  readonly columns: readonly Column[];
  /** Rows there are, when not all of them are drawn. */
  readonly rowCount?: number;
  readonly children: ReactNode;
}) => (
  <table
    aria-label={props.label}
    aria-rowcount={props.rowCount === undefined ? undefined : props.rowCount + 1}
    className="w-full table-fixed border-separate border-spacing-0"
  >
    <thead>
      <tr className="h-8 text-left text-muted text-sm">
        {props.columns.map((column) => (
          <th
            key={column.title}
            scope="col"
            className={classNames(
              cellClass(column),
              column.width,
              "sticky top-0 z-2 border-hairline border-b bg-canvas font-normal",
            )}
          >
            {column.title}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>{props.children}</tbody>
  </table>
);

/** A row whose link covers it; what else can be clicked in it lies above that link. */
export const TableRow = (props: { readonly index: number; readonly children: ReactNode }) => (
  <tr
    data-row={props.index}
    aria-rowindex={props.index + 2}
    className="relative h-8 focus-within:bg-accent-soft hover:bg-raised [&>td]:border-hairline [&>td]:border-b"
  >
    {props.children}
  </tr>
);

export const TableCell = (props: {
  readonly column: Column;
  readonly className?: string | false;
  readonly children: ReactNode;
}) => <td className={classNames(cellClass(props.column), props.className)}>{props.children}</td>;

/** The link of a row, stretched over the whole of it. */
export const ROW_LINK =
  "outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:outline-accent focus-visible:after:-outline-offset-2";
