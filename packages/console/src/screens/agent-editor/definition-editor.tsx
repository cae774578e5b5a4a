import { useBlocker } from "@tanstack/react-router";
import type { AgentDefinitionRequest } from "@tracon/core";
import { CircleCheck } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import { Button } from "../../design/button.tsx";
import { TitleRow } from "../../design/title-row.tsx";
import { isCommand } from "../../shell/keys.ts";
import { FindingList } from "./finding-list.tsx";
import { JsonTextArea, type JsonTextAreaHandle } from "./json-text-area.tsx";
import { lineAt, locatePath } from "./locate-path.ts";
import { type EditorFinding, readDefinition } from "./read-definition.ts";
import { SaveDialog } from "./save-dialog.tsx";
import { useValidation } from "./use-validation.ts";

type EditorProps = {
  readonly title: string;
  readonly saveLabel: string;
  readonly initialText: string;
  /** What the text is compared with before it is saved; nothing for a new agent. */
  readonly baseline?: { readonly title: string; readonly text: string };
  /** Saves and leaves. Rejects with findings when the server has some. */
  readonly onSave: (definition: AgentDefinitionRequest) => Promise<void>;
};

/** A definition as JSON text: check it, see what changes, save it. */
export function DefinitionEditor(props: EditorProps) {
  const area = useRef<JsonTextAreaHandle>(null);
  const [text, setText] = useState(props.initialText);
  const [toSave, setToSave] = useState<AgentDefinitionRequest>();
  const isSaved = useRef(false);
  const validation = useValidation(text);
  const isChanged = text !== (props.baseline?.text ?? "");
  useBlocker({
    shouldBlockFn: () =>
      text !== props.initialText && !isSaved.current && !window.confirm("Discard your changes?"),
    enableBeforeUnload: () => text !== props.initialText && !isSaved.current,
  });

  const review = () => {
    const { definition, finding } = readDefinition(text);
    if (definition === undefined) validation.show([finding]);
    else setToSave(definition);
  };
  const save = async (definition: AgentDefinitionRequest) => {
    isSaved.current = true;
    try {
      await props.onSave(definition);
    } catch (error) {
      isSaved.current = false;
      setToSave(undefined);
      validation.showError(error);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isCommand(event, "enter") && isChanged) review();
  };
  const reveal = (finding: EditorFinding) =>
    area.current?.reveal(
      finding.code === "body_unreadable" ? { start: 0, end: 0 } : locatePath(text, finding.path),
    );

  return (
    <>
      <TitleRow
        title={props.title}
        actions={
          <>
            <Button onClick={validation.validate} disabled={validation.isPending}>
              Validate
            </Button>
            <Button tone="primary" onClick={review} disabled={!isChanged}>
              {props.saveLabel}
            </Button>
          </>
        }
      />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a key for the whole form */}
      <div onKeyDown={onKeyDown} className="flex min-h-0 flex-1 flex-col gap-3 p-4 lg:flex-row">
        <JsonTextArea
          ref={area}
          label="Definition as JSON"
          text={text}
          onChange={(next) => {
            setText(next);
            validation.forget();
          }}
          markedLines={markedLines(text, validation.findings)}
        />
        <section aria-label="Validation" className="shrink-0 overflow-auto lg:w-96">
          <Verdict validation={validation} />
          <FindingList findings={validation.findings} onReveal={reveal} />
        </section>
      </div>
      {toSave === undefined ? null : (
        <SaveDialog
          label={props.saveLabel}
          baseline={props.baseline}
          definition={toSave}
          onClose={() => setToSave(undefined)}
          onSave={() => save(toSave)}
        />
      )}
    </>
  );
}

const Verdict = ({ validation }: { readonly validation: ReturnType<typeof useValidation> }) => (
  <p role="status" className="pb-2 text-muted">
    {validation.verdict === "valid" ? (
      <span className="inline-flex items-center gap-1.5 text-good">
        <CircleCheck aria-hidden className="size-4" />
        Valid: this definition compiles.
      </span>
    ) : (
      validation.verdict
    )}
  </p>
);

function markedLines(text: string, findings: readonly EditorFinding[]): ReadonlySet<number> {
  return new Set(
    findings
      .filter((finding) => finding.code !== "body_unreadable" && finding.path !== "")
      .map((finding) => lineAt(text, locatePath(text, finding.path).start)),
  );
}
