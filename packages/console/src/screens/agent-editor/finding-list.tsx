import { CircleX, TriangleAlert } from "lucide-react";
import { classNames } from "../../design/class-names.ts";
import type { EditorFinding } from "./read-definition.ts";

/** What is wrong with a definition; each finding leads to its place. */
export const FindingList = (props: {
  readonly findings: readonly EditorFinding[];
  readonly onReveal: (finding: EditorFinding) => void;
}) => (
  <ul aria-label="Findings" className="flex flex-col gap-1">
    {props.findings.map((finding, index) => {
      const isError = finding.severity === "Error";
      const Icon = isError ? CircleX : TriangleAlert;
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole
        <li key={index}>
          <button
            type="button"
            onClick={() => props.onReveal(finding)}
            className="flex w-full items-start gap-2 rounded-md border border-hairline bg-surface px-2 py-1.5 text-left hover:bg-raised"
          >
            <Icon
              aria-hidden
              className={classNames(
                "mt-0.5 size-4 shrink-0",
                isError ? "text-failed" : "text-waiting",
              )}
            />
            <span className="min-w-0 [overflow-wrap:anywhere]">
              <span className="sr-only">{finding.severity}: </span>
              {finding.path === "" ? null : (
                <span className="font-mono text-sm">{finding.path} </span>
              )}
              {finding.message}
              <span className="block font-mono text-faint text-sm">{finding.code}</span>
            </span>
          </button>
        </li>
      );
    })}
  </ul>
);
