import { CircleCheck, CircleX, LoaderCircle, TriangleAlert } from "lucide-react";
import type { EditorFinding } from "./editor-finding.ts";
import { counted } from "./form/form-section.tsx";

/** What is wrong with the definition, errors first; each finding leads to its field. */
export function FindingsBar(props: {
  readonly findings: readonly EditorFinding[];
  /** The server has not said anything yet. */
  readonly isFirst: boolean;
  /** The server is being asked; what it said before stays in sight. */
  readonly isPending: boolean;
  readonly problem: string | undefined;
  readonly onReveal: (finding: EditorFinding) => void;
}) {
  const errors = props.findings.filter(({ severity }) => severity === "Error");
  const warnings = props.findings.filter(({ severity }) => severity !== "Error");
  return (
    <section
      aria-label="Validation"
      className="flex max-h-48 shrink-0 flex-col gap-1 overflow-auto border-hairline border-b px-4 py-1.5"
    >
      <div className="flex min-h-5 items-center gap-3">
        <p role="status" className="flex flex-wrap items-center gap-x-3">
          <Verdict {...props} errors={errors.length} warnings={warnings.length} />
        </p>
        {props.isPending ? (
          <LoaderCircle aria-hidden className="size-3.5 animate-turn text-faint" />
        ) : null}
      </div>
      <Findings label="Errors" findings={errors} onReveal={props.onReveal} />
      <Findings label="Warnings" findings={warnings} onReveal={props.onReveal} />
    </section>
  );
}

function Verdict(props: {
  readonly errors: number;
  readonly warnings: number;
  readonly isFirst: boolean;
  readonly problem: string | undefined;
}) {
  if (props.isFirst && props.errors === 0) return <span className="text-muted">Checking</span>;
  return (
    <>
      {props.errors > 0 ? (
        <Word icon={CircleX} tone="text-failed" text={counted(props.errors, "error")} />
      ) : null}
      {props.problem === undefined ? null : <span className="text-muted">{props.problem}</span>}
      {props.errors === 0 && props.problem === undefined ? (
        <Word icon={CircleCheck} tone="text-good" text="Valid: this definition compiles" />
      ) : null}
      {props.warnings > 0 ? (
        <Word icon={TriangleAlert} tone="text-waiting" text={counted(props.warnings, "warning")} />
      ) : null}
    </>
  );
}

const Word = (props: {
  readonly icon: typeof CircleX;
  readonly tone: string;
  readonly text: string;
}) => (
  <span className={`inline-flex items-center gap-1.5 ${props.tone}`}>
    <props.icon aria-hidden className="size-4" />
    {props.text}
  </span>
);

/** Findings of one severity, each leading to its field. */
export const Findings = (props: {
  readonly label: string;
  readonly findings: readonly EditorFinding[];
  readonly onReveal: (finding: EditorFinding) => void;
}) =>
  props.findings.length === 0 ? null : (
    <ul aria-label={props.label}>
      {props.findings.map((finding, index) => {
        const isError = finding.severity === "Error";
        const Icon = isError ? CircleX : TriangleAlert;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole
          <li key={index}>
            <button
              type="button"
              onClick={() => props.onReveal(finding)}
              className="flex w-full items-start gap-2 rounded-sm py-0.5 text-left hover:bg-raised"
            >
              <Icon
                aria-hidden
                className={`mt-0.5 size-4 shrink-0 ${isError ? "text-failed" : "text-waiting"}`}
              />
              <span className="min-w-0 [overflow-wrap:anywhere]">
                {finding.path === "" ? null : (
                  <span className="font-mono text-sm">{finding.path} </span>
                )}
                {finding.message}{" "}
                <span className="font-mono text-faint text-sm">{finding.code}</span>
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
