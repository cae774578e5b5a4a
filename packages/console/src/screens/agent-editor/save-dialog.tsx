import { useState } from "react";
import { Button } from "../../design/button.tsx";
import { CodeBlock } from "../../design/code-block.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { comparableText } from "../agent/definition-text.ts";
import { DiffView } from "../agent/diff-view.tsx";
import type { EditorFinding } from "./editor-finding.ts";
import { Findings } from "./findings-bar.tsx";
import { textOf } from "./form/definition-document.ts";
import { counted } from "./form/form-section.tsx";

/** What a save would change, before it does. */
export function SaveDialog(props: {
  readonly label: string;
  readonly baseline: { readonly title: string; readonly value: unknown } | undefined;
  readonly definition: unknown;
  /** What the server has said of the definition, or of what it was a moment ago. */
  readonly findings: readonly EditorFinding[];
  readonly isPending: boolean;
  readonly onReveal: (finding: EditorFinding) => void;
  readonly onClose: () => void;
  readonly onSave: () => Promise<void>;
}) {
  const [isSaving, setSaving] = useState(false);
  const save = async () => {
    setSaving(true);
    await props.onSave();
    setSaving(false);
  };
  const errors = props.findings.filter(({ severity }) => severity === "Error").length;
  const warnings = props.findings.filter(({ severity }) => severity !== "Error");
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
      {errors === 0 ? null : (
        <p className="pb-3">
          The server has found {counted(errors, "error")} in this and will not save it.
        </p>
      )}
      {warnings.length === 0 ? null : (
        <div className="pb-3">
          <p>
            The server has {counted(warnings.length, "warning")} about this and will save it all the
            same.
          </p>
          <Findings label="Warnings of this save" findings={warnings} onReveal={props.onReveal} />
        </div>
      )}
      {props.isPending ? (
        <p className="pb-3 text-muted">The server has not checked the last change yet.</p>
      ) : null}
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
