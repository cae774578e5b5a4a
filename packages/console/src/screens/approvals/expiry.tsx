import { classNames } from "../../design/class-names.ts";
import { formatInstant, formatUntil } from "../../design/format.ts";

/** From here on the end is near enough to be pointed out. */
const SOON_MS = 3_600_000;

export const hasExpired = (expiresAt: string, nowMs: number): boolean =>
  Date.parse(expiresAt) <= nowMs;

/** How long a decision can still be made. */
export function Expiry(props: { readonly expiresAt: string; readonly nowMs: number }) {
  const { expiresAt, nowMs } = props;
  const isSoon = Date.parse(expiresAt) - nowMs < SOON_MS;
  return (
    <time
      dateTime={expiresAt}
      title={formatInstant(expiresAt)}
      className={classNames(
        "whitespace-nowrap tabular-nums",
        isSoon ? "font-medium text-waiting" : "text-muted",
      )}
    >
      {hasExpired(expiresAt, nowMs) ? "expired" : `expires ${formatUntil(expiresAt, nowMs)}`}
    </time>
  );
}
