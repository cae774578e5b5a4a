/** Fields whose text has a language: instructions and JSON. */

import { CodeEditor } from "../code/lazy-code-editor.tsx";
import { marksIn } from "../code/text-marks.ts";
import { parametersOf } from "../preview/instructions-text.ts";
import { draftOf } from "./definition-document.ts";
import { useFindings, useForm, useMember } from "./form-context.tsx";
import { type FieldProps, FormField } from "./form-field.tsx";
import { isText, Misfit } from "./text-fields.tsx";

/** Markdown with placeholders. `isKept` keeps a text that is empty. */
export function InstructionsField(props: FieldProps & { readonly isKept?: boolean }) {
  const { document, edit, put } = useForm();
  const value = useMember(props.path);
  return (
    <FormField {...props} isWide isEditor>
      {(control) =>
        isText(value) ? (
          <CodeEditor
            language="markdown"
            attributes={control}
            parameters={parametersOf(document.content).map(({ name }) => name)}
            text={value ?? ""}
            onChange={(text) => (props.isKept === true ? put : edit)(props.path, text)}
          />
        ) : (
          <Misfit value={value} id={control.id} />
        )
      }
    </FormField>
  );
}

/** Any JSON. Text that is none stays as it was typed and is a finding. */
export function JsonField(props: FieldProps & { readonly placeholder?: string }) {
  const { document, editDraft } = useForm();
  const findings = useFindings(props.path);
  const text = draftOf(document, props.path);
  return (
    <FormField {...props} isWide isEditor>
      {(control) => (
        <CodeEditor
          language="json"
          attributes={control}
          placeholder={props.placeholder}
          text={text}
          marks={marksIn(text, findings, props.path)}
          onChange={(changed) => editDraft(props.path, changed)}
        />
      )}
    </FormField>
  );
}
