import type { AgentDefinition, AgentDefinitionRequest } from "@tracon/core";
import { useState } from "react";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { comparableText, contentOf } from "../agent/definition-text.ts";
import { DiffView } from "../agent/diff-view.tsx";

/** Somebody saved in between: both texts, and which of them goes on. */
export function ConflictDialog(props: {
  readonly theirs: AgentDefinition;
  readonly mine: AgentDefinitionRequest;
  readonly baseVersion: number;
  readonly onClose: () => void;
  readonly onTakeTheirs: () => void;
  readonly onSaveMine: () => Promise<void>;
}) {
  const { theirs, mine, baseVersion } = props;
  const [isSaving, setSaving] = useState(false);
  const saveMine = async () => {
    setSaving(true);
    await props.onSaveMine();
    setSaving(false);
  };
  return (
    <Dialog
      isWide
      title="Somebody saved in between"
      onClose={props.onClose}
      actions={
        <>
          <Button onClick={props.onClose}>Keep editing</Button>
          <Button onClick={props.onTakeTheirs}>Discard mine, edit v{theirs.version}</Button>
          <Button tone="primary" disabled={isSaving} onClick={() => void saveMine()}>
            Save mine after v{theirs.version}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <p>
          You edited version {baseVersion}; the current one is version {theirs.version}. Nothing was
          saved. Saving yours makes it the next version, and version {theirs.version} stays in the
          history.
        </p>
        <DiffView
          left={{ title: `v${theirs.version}, theirs`, text: comparableText(contentOf(theirs)) }}
          right={{ title: "Yours", text: comparableText(mine) }}
        />
      </div>
    </Dialog>
  );
}
