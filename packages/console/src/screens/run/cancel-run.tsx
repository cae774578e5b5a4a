import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { RunRecord } from "@tracon/core";
import { CircleStop } from "lucide-react";
import { useState } from "react";
import { runQuery } from "../../app/queries.ts";
import { failureOf } from "../../app/remedy.ts";
import { useServices } from "../../app/services.tsx";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";

/** Ends a run that goes on, or that waits for a decision, after asking once. */
export function CancelRun(props: {
  readonly run: RunRecord;
  /** It has ended to wait for a decision that nobody has made. */
  readonly isWaiting: boolean;
}) {
  const { run, isWaiting } = props;
  const { api, toasts } = useServices();
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const cancel = useMutation({
    mutationFn: () => api.runs.cancel(run.id),
    onSuccess: () => toasts.show("good", "The run was asked to stop."),
    onError: (error) => toasts.show("failed", failureOf(error).detail),
    onSettled: () => {
      setAsking(false);
      void queries.invalidateQueries({ queryKey: ["approvals"] });
      return queries.invalidateQueries({ queryKey: runQuery(api, run.id).queryKey });
    },
  });
  if (run.status !== "Running" && run.status !== "Queued" && !isWaiting) return null;

  return (
    <>
      <Button tone="danger" icon={CircleStop} onClick={() => setAsking(true)}>
        Cancel run
      </Button>
      {isAsking ? (
        <Dialog
          title="Cancel this run?"
          onClose={() => setAsking(false)}
          actions={
            <>
              <Button onClick={() => setAsking(false)}>Keep it</Button>
              <Button tone="danger" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
                Cancel run
              </Button>
            </>
          }
        >
          <p>
            {isWaiting
              ? "The calls that wait are declined, and the run does not go on."
              : "The model call and the tools that are under way are told to stop. What the run has done stays done and recorded."}
          </p>
        </Dialog>
      ) : null}
    </>
  );
}
