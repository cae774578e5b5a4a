import type { Turn } from "./turn.ts";

/** Longest answer that is read out unasked; the rest is there to go to. */
const MAX_LENGTH = 600;

/**
 * Tells screen readers how a turn goes. The answer is read once it is complete: word by word it
 * would never be understood.
 */
export const Announcement = ({ turn }: { readonly turn: Turn | undefined }) => (
  <p role="status" aria-live="polite" className="sr-only">
    {turn === undefined ? "" : announcementOf(turn)}
  </p>
);

function announcementOf(turn: Turn): string {
  switch (turn.state) {
    case "running":
      return "The agent is answering.";
    case "stopped":
      return "Stopped.";
    case "failed":
      return "";
    case "completed":
      if (turn.approvals.length > 0) {
        return `Waits for a decision: ${turn.approvals.map((it) => it.toolName).join(", ")}.`;
      }
      return `Answer: ${turn.result?.output.slice(0, MAX_LENGTH) ?? ""}`;
  }
}
