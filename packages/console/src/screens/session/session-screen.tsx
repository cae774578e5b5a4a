import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import type { SessionDetail } from "@tracon/core";
import { MessageSquare, Trash2 } from "lucide-react";
import { useMemo, useState } from "react";
import { metaQuery, sessionQuery } from "../../app/queries.ts";
import { useServices } from "../../app/services.tsx";
import { Button, buttonClass } from "../../design/button.tsx";
import { shortenName } from "../../design/format.ts";
import { Empty, FailureView, Loading } from "../../design/state-view.tsx";
import { TitleRow } from "../../design/title-row.tsx";
import { BranchDialog } from "./branch-dialog.tsx";
import { type ConversationEntry, conversationOf } from "./conversation.ts";
import { ConversationView } from "./conversation-view.tsx";
import { DeleteSessionDialog } from "./delete-session-dialog.tsx";
import { SessionFacts } from "./session-facts.tsx";

const route = getRouteApi("/sessions/$sessionId");

export function SessionScreen() {
  const { sessionId } = route.useParams();
  const { api } = useServices();
  const session = useQuery(sessionQuery(api, sessionId));
  if (session.data !== undefined) return <SessionPage key={sessionId} session={session.data} />;
  return (
    <>
      <TitleRow title="Session" />
      {session.error === null ? (
        <Loading what="session" />
      ) : (
        <FailureView error={session.error} onRetry={() => void session.refetch()} />
      )}
    </>
  );
}

function SessionPage({ session }: { readonly session: SessionDetail }) {
  const { api } = useServices();
  const navigate = useNavigate();
  const { data: meta } = useQuery(metaQuery(api));
  const canChange = meta?.roles.canOperate ?? false;
  const [branching, setBranching] = useState<ConversationEntry>();
  const [isDeleting, setDeleting] = useState(false);
  const entries = useMemo(() => conversationOf(session.messages ?? []), [session.messages]);

  return (
    <>
      <TitleRow
        title={`Session ${shortenName(session.id)}`}
        actions={
          <>
            {canChange ? (
              <Button tone="danger" icon={Trash2} onClick={() => setDeleting(true)}>
                Delete
              </Button>
            ) : null}
            <Link
              to="/playground"
              search={{ agent: session.agentName, session: session.id }}
              className={buttonClass("primary")}
            >
              <MessageSquare aria-hidden className="size-3.5" />
              Continue
            </Link>
          </>
        }
      />
      <SessionFacts session={session} />
      <div className="min-h-0 flex-1 overflow-auto border-hairline border-t">
        <div className="mx-auto flex max-w-3xl flex-col p-4">
          {entries.length === 0 ? (
            <NoMessages session={session} />
          ) : (
            <ConversationView
              entries={entries}
              {...(canChange ? { onBranch: setBranching } : {})}
            />
          )}
        </div>
      </div>
      {branching === undefined ? null : (
        <BranchDialog session={session} entry={branching} onClose={() => setBranching(undefined)} />
      )}
      {isDeleting ? (
        <DeleteSessionDialog
          session={session}
          onClose={() => setDeleting(false)}
          onDeleted={() => void navigate({ to: "/sessions", replace: true })}
        />
      ) : null}
    </>
  );
}

const NoMessages = ({ session }: { readonly session: SessionDetail }) =>
  session.messages === null ? (
    <Empty
      title="The conversation cannot be read"
      text="Its items are in a form this version does not know. Its runs are recorded and can be opened."
    />
  ) : (
    <Empty
      title="Nothing was said yet"
      text="The session is there and has no messages. Continue it in the playground."
    />
  );
