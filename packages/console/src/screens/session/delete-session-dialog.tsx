import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { SessionDetail } from "@tracon/core";
import { sessionQuery } from "../../app/queries.ts";
import { failureOf } from "../../app/remedy.ts";
import { useServices } from "../../app/services.tsx";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";

/** Removes a conversation for good, after asking once. */
export function DeleteSessionDialog(props: {
  readonly session: SessionDetail;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}) {
  const { session, onClose, onDeleted } = props;
  const { api, toasts } = useServices();
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => api.sessions.delete(session.id),
    onSuccess: () => {
      toasts.show("good", "The session was deleted.");
      onDeleted();
      queries.removeQueries({ queryKey: sessionQuery(api, session.id).queryKey });
      return queries.invalidateQueries({ queryKey: ["sessions"] });
    },
    onError: (error) => {
      onClose();
      toasts.show("failed", failureOf(error).detail);
    },
  });
  return (
    <Dialog
      title="Delete this session?"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button tone="danger" disabled={remove.isPending} onClick={() => remove.mutate()}>
            Delete
          </Button>
        </>
      }
    >
      <p>
        The conversation and its attachments are gone for good. Its runs stay recorded, and so do
        sessions that were branched from it.
      </p>
    </Dialog>
  );
}
