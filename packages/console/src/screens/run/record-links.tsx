import { Link } from "@tanstack/react-router";
import { shortenMiddle, shortenName } from "../../design/format.ts";

const LINK = "font-mono text-accent text-sm underline";

export const RunLink = ({ runId }: { readonly runId: string }) => (
  <Link to="/runs/$runId" params={{ runId }} title={runId} className={LINK}>
    {shortenMiddle(runId)}
  </Link>
);

export const SessionLink = ({ sessionId }: { readonly sessionId: string }) => (
  <Link to="/sessions/$sessionId" params={{ sessionId }} title={sessionId} className={LINK}>
    {shortenName(sessionId)}
  </Link>
);
