import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { RunRecord } from "@tracon/core";
import { CircleStop } from "lucide-react";
import { useState } from "react";
import { runQuery } from "../../app/queries.ts";
import { failureOf } from "../../app/remedy.ts";
import { useServices } from "../../app/services.tsx";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";

/** Ends a run that goes on, after asking once. */
export function CancelRun({ run }: { readonly run: RunRecord }) {
  const { api, toasts } = useServices();
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const cancel = useMutation({
    mutationFn: () => api.runs.cancel(run.id),
    onSuccess: () => toasts.show("good", "The run was asked to stop."),
    onError: (error) => toasts.show("failed", failureOf(error).detail),
    onSettled: () => {
      setAsking(false);
      return queries.invalidateQueries({ queryKey: runQuery(api, run.id).queryKey });
    },
  });
  if (run.status !== "Running" && run.status !== "Queued") return null;

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
              <Button onClick={() => setAsking(false)}>Keep running</Button>
              <Button tone="danger" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
                Cancel run
              </Button>
            </>
          }
        >
          <p>
            The model call and the tools that are under way are told to stop. What the run has done
            stays done and recorded.
          </p>
        </Dialog>
      ) : null}
    </>
  );
}
