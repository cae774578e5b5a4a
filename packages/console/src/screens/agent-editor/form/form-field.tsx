import { CircleX, TriangleAlert } from "lucide-react";
import { type ReactNode, useId } from "react";
import { classNames } from "../../../design/class-names.ts";
import type { EditorFinding } from "../editor-finding.ts";
import { useFindings } from "./form-context.tsx";
import { type Path, pathText } from "./json-path.ts";

export type FieldProps = {
  readonly path: Path;
  readonly label: string;
  readonly hint?: string | undefined;
};

/** What a control needs to be named, described and found. */
export type ControlProps = {
  readonly id: string;
  readonly "aria-labelledby": string | undefined;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": boolean | undefined;
};

/** A control of one member: its name, what it means and what is wrong with it. */
export function FormField(
  props: FieldProps & {
    /** Takes the whole width of the form. */
    readonly isWide?: boolean;
    /** The name stands behind the control, as for a checkbox. */
    readonly isInline?: boolean;
    /** The control is none of the platform's, which labels do not name. */
    readonly isEditor?: boolean;
    readonly children: (control: ControlProps) => ReactNode;
  },
) {
  const id = useId();
  const findings = useFindings(props.path);
  const isDescribed = props.hint !== undefined || findings.length > 0;
  const control = props.children({
    id,
    "aria-labelledby": props.isEditor === true ? `${id}-label` : undefined,
    "aria-describedby": isDescribed ? `${id}-more` : undefined,
    "aria-invalid": findings.some((it) => it.severity === "Error") || undefined,
  });
  return (
    <div
      data-path={pathText(props.path)}
      className={classNames("flex min-w-0 flex-col gap-1", props.isWide && "col-span-full")}
    >
      {props.isInline === true ? (
        <div className="flex items-center gap-2">
          {control}
          <label htmlFor={id}>{props.label}</label>
        </div>
      ) : (
        <>
          {props.isEditor === true ? (
            // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: what a label does for controls of the platform
            <span
              id={`${id}-label`}
              className="cursor-pointer self-start text-muted text-sm"
              onClick={() => document.getElementById(id)?.focus()}
            >
              {props.label}
            </span>
          ) : (
            <label htmlFor={id} className="text-muted text-sm">
              {props.label}
            </label>
          )}
          {control}
        </>
      )}
      {isDescribed ? (
        <div id={`${id}-more`} className="flex flex-col gap-1">
          {props.hint === undefined ? null : <p className="text-faint text-sm">{props.hint}</p>}
          <FindingNotes findings={findings} />
        </div>
      ) : null}
    </div>
  );
}

/** What is wrong with a member that has no control of its own. */
export const FindingsOf = (props: { readonly path: Path; readonly exactly?: boolean }) => (
  <FindingNotes findings={useFindings(props.path, props.exactly)} />
);

const FindingNotes = (props: { readonly findings: readonly EditorFinding[] }) =>
  props.findings.map((finding, index) => {
    const isError = finding.severity === "Error";
    const Icon = isError ? CircleX : TriangleAlert;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the notes are replaced as a whole
      <p key={index} className="flex items-start gap-1.5 text-sm [overflow-wrap:anywhere]">
        <Icon
          aria-hidden
          className={`mt-0.5 size-3.5 shrink-0 ${isError ? "text-failed" : "text-waiting"}`}
        />
        <span>
          <span className="sr-only">{finding.severity}: </span>
          {finding.message}
        </span>
      </p>
    );
  });
