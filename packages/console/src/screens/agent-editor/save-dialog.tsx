import type { AgentDefinitionRequest } from "@tracon/core";
import { useState } from "react";
import { Button } from "../../design/button.tsx";
import { CodeBlock } from "../../design/code-block.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { DiffView } from "../agent/diff-view.tsx";

/** What a save would change, before it does. */
export function SaveDialog(props: {
  readonly label: string;
  readonly baseline: { readonly title: string; readonly text: string } | undefined;
  readonly definition: AgentDefinitionRequest;
  readonly onClose: () => void;
  readonly onSave: () => Promise<void>;
}) {
  const [isSaving, setSaving] = useState(false);
  const save = async () => {
    setSaving(true);
    await props.onSave();
    setSaving(false);
  };
  const text = JSON.stringify(props.definition, null, 2);
  return (
    <Dialog
      isWide
      title={props.label}
      onClose={props.onClose}
      actions={
        <>
          <Button onClick={props.onClose}>Keep editing</Button>
          <Button tone="primary" disabled={isSaving} onClick={() => void save()}>
            {props.label}
          </Button>
        </>
      }
    >
      {props.baseline === undefined ? (
        <CodeBlock label="new definition" text={text} isTall />
      ) : (
        <DiffView left={props.baseline} right={{ title: "New version", text }} />
      )}
    </Dialog>
  );
}
