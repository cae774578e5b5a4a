import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { sessionQuery } from "../../app/queries.ts";
import { failureOf } from "../../app/remedy.ts";
import { useServices } from "../../app/services.tsx";
import { Loading } from "../../design/state-view.tsx";
import { conversationOf } from "../session/conversation.ts";
import { ConversationView } from "../session/conversation-view.tsx";

/** What was said in the session before this page was opened. It is read once: what follows is here. */
export function PastConversation({ sessionId }: { readonly sessionId: string }) {
  const { api } = useServices();
  const { data, error } = useQuery({
    ...sessionQuery(api, sessionId),
    queryKey: ["sessions", "past", sessionId],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (error !== null) {
    const { detail, remedy } = failureOf(error);
    return (
      <p role="alert" className="text-muted">
        {detail}. {remedy}
      </p>
    );
  }
  if (data === undefined) return <Loading what="conversation" rows={4} />;
  return (
    <>
      <ConversationView entries={conversationOf(data.messages ?? [])} />
      <p className="flex items-center gap-2 text-muted text-sm before:h-px before:flex-1 before:bg-hairline after:h-px after:flex-1 after:bg-hairline">
        <Link to="/sessions/$sessionId" params={{ sessionId }} className="text-accent underline">
          Session
        </Link>
        goes on
      </p>
    </>
  );
}
