import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { SessionDetail } from "@tracon/core";
import { failureOf } from "../../app/remedy.ts";
import { useServices } from "../../app/services.tsx";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import type { ConversationEntry } from "./conversation.ts";

const PREVIEW_LENGTH = 160;

/** Copies a conversation up to a message into a session of its own. */
export function BranchDialog(props: {
  readonly session: SessionDetail;
  readonly entry: ConversationEntry;
  readonly onClose: () => void;
}) {
  const { session, entry, onClose } = props;
  const { api, toasts } = useServices();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const branch = useMutation({
    mutationFn: () => api.sessions.branch(session.id, { upToSequence: entry.endSequence }),
    onSuccess: async ({ sessionId }) => {
      onClose();
      toasts.show("good", "Branched. This is the new session; the other one is as it was.");
      void queries.invalidateQueries({ queryKey: ["sessions"] });
      await navigate({ to: "/sessions/$sessionId", params: { sessionId } });
    },
    onError: (error) => {
      onClose();
      toasts.show("failed", failureOf(error).detail);
    },
  });
  return (
    <Dialog
      title="Branch here?"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            tone="primary"
            data-autofocus
            disabled={branch.isPending}
            onClick={() => branch.mutate()}
          >
            {branch.isPending ? "Branching…" : "Branch"}
          </Button>
        </>
      }
    >
      <p>
        A new session gets the {entry.endSequence + 1} messages up to here. This one is not changed.
      </p>
      <p className="mt-2 text-muted [overflow-wrap:anywhere]">Last message: {previewOf(entry)}</p>
    </Dialog>
  );
}

function previewOf({ text, calls }: ConversationEntry): string {
  const whole = text === "" ? calls.map(({ toolName }) => toolName).join(", ") : text;
  return whole.length <= PREVIEW_LENGTH ? whole : `${whole.slice(0, PREVIEW_LENGTH)}…`;
}
