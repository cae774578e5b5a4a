import { classNames } from "./class-names.ts";

/** How much of a limit is spent and set aside, as a bar. What it says is also in the text beside it. */
export const Meter = (props: {
  readonly used: number;
  readonly reserved: number;
  readonly max: number;
}) => {
  const { used, reserved, max } = props;
  const isSpent = used + reserved >= max;
  return (
    <span aria-hidden className="flex h-2 w-full overflow-hidden rounded-sm bg-raised">
      <span
        className={classNames("h-full", isSpent ? "bg-ink" : "bg-accent")}
        style={{ width: shareOf(used, max) }}
      />
      <span className="h-full bg-edge" style={{ width: shareOf(reserved, max) }} />
    </span>
  );
};

const shareOf = (part: number, max: number): string =>
  `${max <= 0 ? 100 : Math.min((part / max) * 100, 100)}%`;
