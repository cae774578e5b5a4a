import { useBlocker } from "@tanstack/react-router";
import type { AgentDefinitionRequest } from "@tracon/core";
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "../../design/button.tsx";
import { Tabs } from "../../design/tabs.tsx";
import { TitleRow } from "../../design/title-row.tsx";
import { isCommand } from "../../shell/keys.ts";
import type { EditorView } from "./agent-editor-route.ts";
import type { CodeEditorHandle } from "./code/code-editor.tsx";
import { CodeEditor } from "./code/lazy-code-editor.tsx";
import { marksIn } from "./code/text-marks.ts";
import type { EditorFinding } from "./editor-finding.ts";
import { FindingsBar } from "./findings-bar.tsx";
import {
  type DefinitionDocument,
  editDraft,
  editMember,
  editSparsely,
  editText,
  isChanged,
  openDocument,
  putMember,
  unreadable,
} from "./form/definition-document.ts";
import { DefinitionForm } from "./form/definition-form.tsx";
import { FormContext } from "./form/form-context.tsx";
import { type JsonObject, parsePath } from "./form/json-path.ts";
import { revealField } from "./form/reveal-field.ts";
import { locatePath } from "./locate-path.ts";
import { PreviewPane } from "./preview/preview-pane.tsx";
import { SaveDialog } from "./save-dialog.tsx";
import { useLiveValidation } from "./use-live-validation.ts";

type EditorProps = {
  readonly title: string;
  readonly saveLabel: string;
  readonly initial: AgentDefinitionRequest;
  /** What is compared with before it is saved; nothing for a new agent. */
  readonly baselineTitle?: string;
  readonly view: EditorView;
  readonly onView: (view: EditorView) => void;
  /** Saves and leaves. Rejects with findings when the server has some. */
  readonly onSave: (definition: AgentDefinitionRequest) => Promise<void>;
};

/** A definition as a form and as text, with what the model will read of it beside. */
export function DefinitionEditor(props: EditorProps) {
  const isNew = props.baselineTitle === undefined;
  const [document, setDocument] = useState(() => openDocument(props.initial as JsonObject));
  const [isSaving, setSaving] = useState(false);
  const { validation, isPending, showError } = useLiveValidation(document.content);
  const problems = unreadable(document);
  const findings = [...problems, ...validation.findings];
  const isSendable = problems.length === 0 && (isNew || isChanged(document));
  useLeaveGuard(isChanged(document) || problems.length > 0);
  const places = usePlaces(document, props.view, props.onView);

  const save = async () => {
    try {
      await props.onSave(document.content as AgentDefinitionRequest);
    } catch (error) {
      setSaving(false);
      showError(error);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isCommand(event, "enter") && isSendable) setSaving(true);
  };
  const savedName = isNew || isChanged(document) ? undefined : props.initial.name;
  const preview = <PreviewPane definition={document.content} savedName={savedName} />;

  return (
    <FormContext
      value={{
        document,
        findings,
        edit: (path, value) => setDocument((it) => editMember(it, path, value)),
        editSparsely: (path, value) => setDocument((it) => editSparsely(it, path, value)),
        put: (path, value) => setDocument((it) => putMember(it, path, value)),
        editDraft: (path, text) => setDocument((it) => editDraft(it, path, text)),
      }}
    >
      <TitleRow
        title={props.title}
        actions={
          <Button tone="primary" onClick={() => setSaving(true)} disabled={!isSendable}>
            {props.saveLabel}
          </Button>
        }
      />
      <FindingsBar
        findings={findings}
        isFirst={validation.of === undefined}
        isPending={isPending}
        problem={validation.problem}
        onReveal={places.reveal}
      />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a key for the whole form */}
      <div onKeyDown={onKeyDown} className="flex min-h-0 flex-1">
        <EditorTabs
          {...props}
          isNew={isNew}
          places={places}
          document={document}
          findings={findings}
          preview={preview}
          onText={(text) => setDocument((it) => editText(it, text))}
        />
        <aside
          aria-label="Preview"
          className="hidden w-100 shrink-0 overflow-auto border-hairline border-l xl:block"
        >
          {props.view === "preview" ? null : preview}
        </aside>
      </div>
      {isSaving ? (
        <SaveDialog
          label={props.saveLabel}
          baseline={
            isNew ? undefined : { title: props.baselineTitle ?? "", value: document.baseline }
          }
          definition={document.content}
          findings={validation.findings}
          isPending={isPending}
          onReveal={(finding) => {
            setSaving(false);
            places.reveal(finding);
          }}
          onClose={() => setSaving(false)}
          onSave={save}
        />
      ) : null}
    </FormContext>
  );
}

const EditorTabs = (props: {
  readonly view: EditorView;
  readonly onView: (view: EditorView) => void;
  readonly isNew: boolean;
  readonly places: Places;
  readonly document: DefinitionDocument;
  readonly findings: readonly EditorFinding[];
  readonly preview: ReactNode;
  readonly onText: (text: string) => void;
}) => (
  <div className="flex min-w-0 flex-1 flex-col">
    <Tabs
      label="Views of the definition"
      value={props.view}
      onChange={props.onView}
      tabs={[
        {
          value: "form",
          label: "Form",
          content: () =>
            props.document.problem === undefined ? (
              <DefinitionForm
                ref={props.places.form}
                isNew={props.isNew}
                culture={props.places.culture}
                onCulture={props.places.setCulture}
              />
            ) : (
              <p className="p-4 text-muted">
                The JSON cannot be read, so there is nothing to show as a form. Correct it there
                first.
              </p>
            ),
        },
        {
          value: "json",
          label: "JSON",
          content: () => (
            <div className="flex min-h-0 flex-1 p-4">
              <CodeEditor
                ref={props.places.area}
                language="json"
                isFull
                attributes={{ "aria-label": "Definition as JSON" }}
                text={props.document.text}
                onChange={props.onText}
                marks={marksIn(props.document.text, props.findings)}
              />
            </div>
          ),
        },
        {
          value: "preview",
          label: "What the model reads",
          isNarrowOnly: true,
          content: () => props.preview,
        },
      ]}
    />
  </div>
);

type Places = ReturnType<typeof usePlaces>;

/** Where things are in the editor, and the way from a finding to its place. */
function usePlaces(
  { text, problem }: DefinitionDocument,
  view: EditorView,
  onView: (view: EditorView) => void,
) {
  const form = useRef<HTMLDivElement>(null);
  const area = useRef<CodeEditorHandle>(null);
  const [culture, setCulture] = useState("");
  const [wanted, setWanted] = useState<string>();
  const place = view === "json" || problem !== undefined ? "json" : "form";

  useEffect(() => {
    // The view that holds the place may only be on its way.
    if (wanted === undefined || view !== place) return;
    const frame = requestAnimationFrame(() => {
      if (place === "form" && form.current !== null && !revealField(form.current, wanted)) {
        // What no field edits stands in the text.
        onView("json");
        return;
      }
      const start = { start: 0, end: 0 };
      area.current?.reveal(problem === undefined ? locatePath(text, parsePath(wanted)) : start);
      setWanted(undefined);
    });
    return () => cancelAnimationFrame(frame);
  }, [wanted, view, place, problem, text, onView]);

  const reveal = ({ path }: EditorFinding) => {
    const [member, key] = parsePath(path);
    if (view !== place) onView(place);
    if (member === "instructions") setCulture("");
    if (member === "instructionsByCulture" && key !== undefined) setCulture(String(key));
    setWanted(path);
  };
  return { form, area, culture, setCulture, reveal };
}

/** Asks before changes are left behind. Leaving after a save goes past it. */
function useLeaveGuard(hasChanges: boolean) {
  useBlocker({
    shouldBlockFn: ({ current, next }) =>
      hasChanges && current.pathname !== next.pathname && !window.confirm("Discard your changes?"),
    enableBeforeUnload: () => hasChanges,
  });
}
