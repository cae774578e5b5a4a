import { Link } from "@tanstack/react-router";
import type { SessionDetail } from "@tracon/core";
import { FigureRow } from "../../design/figure-row.tsx";
import { formatInstant, shortenMiddle } from "../../design/format.ts";
import { Identifier } from "../../design/identifier.tsx";

/** What is known of a session on one line. */
export const SessionFacts = ({ session }: { readonly session: SessionDetail }) => (
  <FigureRow
    figures={[
      [
        "Agent",
        <Link
          key="agent"
          to="/agents/$name"
          params={{ name: session.agentName }}
          className="text-accent underline"
        >
          {session.agentName}
        </Link>,
      ],
      ["Messages", session.itemCount],
      [
        "Runs",
        <Link
          key="runs"
          to="/runs"
          search={{ session: session.id }}
          className="text-accent underline"
        >
          Show its runs
        </Link>,
      ],
      ["Opened", formatInstant(session.createdAt)],
      ["Last used", formatInstant(session.updatedAt)],
      ["Owner", session.ownerId],
      ["Branched from", session.parentSessionId && <ParentLink key="parent" session={session} />],
      ["Session", <Identifier key="id" id={session.id} label="session id" />],
    ]}
  />
);

const ParentLink = ({ session }: { readonly session: SessionDetail }) => (
  <Link
    to="/sessions/$sessionId"
    params={{ sessionId: session.parentSessionId ?? "" }}
    className="font-mono text-accent text-sm underline"
  >
    {shortenMiddle(session.parentSessionId ?? "")}
    {session.branchFromSequence === undefined || session.branchFromSequence < 0
      ? ""
      : ` after message ${session.branchFromSequence + 1}`}
  </Link>
);
