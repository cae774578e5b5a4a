import { classNames } from "./class-names.ts";

/**
 * How much of a limit is spent and set aside, as a bar, or how much of a whole a part is. What it says
 * is also in the text beside it.
 */
export const Meter = (props: {
  readonly used: number;
  readonly reserved?: number;
  readonly max: number;
  /** To reach the whole is no limit that is reached. */
  readonly isShare?: boolean;
}) => {
  const { used, reserved = 0, max, isShare = false } = props;
  const isSpent = !isShare && used + reserved >= max;
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
