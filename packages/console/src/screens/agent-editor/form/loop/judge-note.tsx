import type { LoopCriteria } from "@tracon/core";
import { TriangleAlert } from "lucide-react";
import { CodeBlock } from "../../../../design/code-block.tsx";

const EXAMPLE = 'judge: { provider: "openai", model: "gpt-5.4-mini" },';

/** Who judges, or what to do so that somebody does. */
export const JudgeNote = ({ judge }: { readonly judge: LoopCriteria["judge"] }) =>
  judge === null ? (
    <div className="flex flex-col gap-2">
      <p className="flex items-start gap-1.5">
        <TriangleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0 text-waiting" />
        <span>
          No judge is configured on this server, so this definition cannot be saved. Name a model as
          the judge in the server's configuration and start it again:
        </span>
      </p>
      <CodeBlock label="judge of tracon.config.ts" text={EXAMPLE} />
    </div>
  ) : (
    <p className="text-muted">
      Judged by{" "}
      <span className="font-mono text-ink text-sm">
        {judge.provider} / {judge.model}
      </span>
      , once for each iteration that reaches it. Its tokens and cost are part of the run's, at its
      own price.
    </p>
  );
