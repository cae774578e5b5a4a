import type { RunRecord } from "@tracon/core";
import { CircleX } from "lucide-react";
import { remedyOfRun } from "../../app/remedy.ts";

/** Why a run failed and what can be done, before anything else of it. */
export function RunFailure({ run }: { readonly run: RunRecord }) {
  if (run.error === undefined) return null;
  const { type, message, class: errorClass } = run.error;
  return (
    <div className="flex shrink-0 items-start gap-2 border-hairline border-y bg-surface px-4 py-2">
      <CircleX aria-hidden className="mt-0.5 size-4 shrink-0 text-failed" />
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <p className="font-medium text-failed">Failed: {message}</p>
        <p className="text-muted">
          {remedyOfRun(errorClass)}{" "}
          <span className="font-mono text-faint text-sm">
            {errorClass ?? "Unknown"} · {type}
          </span>
        </p>
      </div>
    </div>
  );
}
