import { useState } from "react";
import { Button } from "../../design/button.tsx";
import { CodeBlock } from "../../design/code-block.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { comparableText } from "../agent/definition-text.ts";
import { DiffView } from "../agent/diff-view.tsx";
import { textOf } from "./form/definition-document.ts";
import { counted } from "./form/form-section.tsx";

/** What a save would change, before it does. */
export function SaveDialog(props: {
  readonly label: string;
  readonly baseline: { readonly title: string; readonly value: unknown } | undefined;
  readonly definition: unknown;
  readonly errors: number;
  readonly onClose: () => void;
  readonly onSave: () => Promise<void>;
}) {
  const [isSaving, setSaving] = useState(false);
  const save = async () => {
    setSaving(true);
    await props.onSave();
    setSaving(false);
  };
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
      {props.errors === 0 ? null : (
        <p className="pb-3">
          The server has found {counted(props.errors, "error")} in this and will not save it.
        </p>
      )}
      {props.baseline === undefined ? (
        <CodeBlock label="new definition" text={textOf(props.definition)} isTall />
      ) : (
        <DiffView
          left={{ title: props.baseline.title, text: comparableText(props.baseline.value) }}
          right={{ title: "New version", text: comparableText(props.definition) }}
        />
      )}
    </Dialog>
  );
}
