import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { AgentDescriptor } from "@tracon/core";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { failureOf } from "../../app/remedy.ts";
import { useServices } from "../../app/services.tsx";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";

/** Removes a stored agent, after asking once, as it was shown when that was asked. */
export function DeleteAgent({ descriptor }: { readonly descriptor: AgentDescriptor }) {
  const { name } = descriptor;
  const { api, toasts } = useServices();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<number>();
  const remove = useMutation({
    // A version saved while the question stood was not meant.
    mutationFn: () => api.agents.delete(name, { basedOn: asked }),
    onSuccess: async () => {
      toasts.show("good", `${name} was deleted.`);
      await navigate({ to: "/agents" });
    },
    onError: (error) => toasts.show("failed", `Nothing was deleted: ${failureOf(error).detail}.`),
    onSettled: () => {
      setAsked(undefined);
      return queries.invalidateQueries({ queryKey: ["agents"] });
    },
  });

  return (
    <>
      <Button tone="danger" icon={Trash2} onClick={() => setAsked(descriptor.version)}>
        Delete
      </Button>
      {asked === undefined ? null : (
        <Dialog
          title={`Delete ${name}?`}
          onClose={() => setAsked(undefined)}
          actions={
            <>
              <Button onClick={() => setAsked(undefined)}>Keep it</Button>
              <Button tone="danger" disabled={remove.isPending} onClick={() => remove.mutate()}>
                Delete agent
              </Button>
            </>
          }
        >
          <p>
            Version {asked} and the whole history go for good. Its runs stay, and an agent of this
            name that is created later goes on counting after version {asked}.
          </p>
        </Dialog>
      )}
    </>
  );
}
