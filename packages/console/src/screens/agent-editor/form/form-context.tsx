import { createContext, type ReactNode, use } from "react";
import type { EditorFinding } from "../editor-finding.ts";
import type { DefinitionDocument } from "./definition-document.ts";
import { isWithin, type Path, parsePath, readAt } from "./json-path.ts";

/** The document and how fields change it. */
export type DefinitionForm = {
  readonly document: DefinitionDocument;
  readonly findings: readonly EditorFinding[];
  /** Writes a member; emptying one that was not there before removes it again. */
  readonly edit: (path: Path, value: unknown) => void;
  /** Writes a member exactly as given. */
  readonly put: (path: Path, value: unknown) => void;
  /** As `edit`, and the settings that were made for the member go with the last of them. */
  readonly editSparsely: (path: Path, value: unknown) => void;
  readonly editDraft: (path: Path, text: string) => void;
};

export const FormContext = createContext<DefinitionForm | undefined>(undefined);

export function useForm(): DefinitionForm {
  const form = use(FormContext);
  if (form === undefined) throw new Error("assertion failed: a field outside of the form");
  return form;
}

/** Fields of settings that are there only while one of them is set. */
export function SparseSettings({ children }: { readonly children: ReactNode }) {
  const form = useForm();
  return <FormContext value={{ ...form, edit: form.editSparsely }}>{children}</FormContext>;
}

/** What the document holds at a place. */
export const useMember = (path: Path): unknown => readAt(useForm().document.content, path);

/** Findings of a place. `exactly` leaves out those that have a field of their own below it. */
export function useFindings(path: Path, exactly = false): readonly EditorFinding[] {
  return useForm().findings.filter((finding) => {
    const at = parsePath(finding.path);
    return isWithin(at, path) && (!exactly || at.length === path.length);
  });
}
