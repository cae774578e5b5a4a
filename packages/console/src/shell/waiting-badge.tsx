import { useQuery } from "@tanstack/react-query";
import { pendingApprovalsQuery, waitingCount } from "../app/queries.ts";
import { useServices } from "../app/services.tsx";
import { classNames } from "../design/class-names.ts";

/** The mailbox itself looks more often; elsewhere the number may be a little late. */
const REFRESH_MS = 15_000;

/** How many calls wait for a decision; nothing when none does. */
export function WaitingBadge({ isNarrow }: { readonly isNarrow: boolean }) {
  const { api } = useServices();
  const { data: waiting } = useQuery({
    ...pendingApprovalsQuery(api),
    refetchInterval: REFRESH_MS,
  });
  if (waiting === undefined || waiting.items.length === 0) return null;
  return (
    <span
      className={classNames(
        "ml-auto min-w-5 rounded-full bg-waiting px-1.5 text-center text-canvas text-sm tabular-nums",
        isNarrow && "md:absolute md:top-0 md:right-0 md:px-1 md:text-xs",
      )}
    >
      {waitingCount(waiting)}
      <span className="sr-only"> waiting</span>
    </span>
  );
}
