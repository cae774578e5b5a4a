/** What a loop recorded, in full: a decision, a call of its judge, a warning that it gets nowhere. */

import { CodeBlock } from "../../design/code-block.tsx";
import { Facts, Section } from "../../design/facts.tsx";
import { formatCost, formatDurationMs } from "../../design/format.ts";
import type { Decision, JudgeCall, ProgressWarning } from "./chapter.ts";
import { decisionText } from "./loop-text.ts";
import { RunLink } from "./record-links.tsx";
import { usageFacts } from "./usage-facts.ts";

export const DecisionInspector = ({ decision }: { readonly decision: Decision }) => (
  <>
    <p className="font-medium">{decisionText(decision.payload)}</p>
    <Section title="Criteria asked, in order">
      <ol className="flex flex-col gap-2">
        {decision.payload.criteria.map(({ kind, decision: verdict, judge, reviewer }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a kind may be asked twice
          <li key={index} className="rounded-md border border-hairline p-2">
            <Facts
              facts={[
                ["Criterion", kind],
                ["Said", verdict],
                ["Judge", judge && `${judge.provider} / ${judge.model}`],
                ["Reviewer", reviewer && reviewerName(reviewer)],
                ["Its run", reviewer && <RunLink runId={reviewer.runId} />],
              ]}
            />
          </li>
        ))}
      </ol>
    </Section>
  </>
);

const reviewerName = (reviewer: {
  readonly agent: string;
  readonly version?: number | undefined;
}) => (reviewer.version === undefined ? reviewer.agent : `${reviewer.agent} v${reviewer.version}`);

/** Its tokens and its cost are part of the run's. */
export const JudgeInspector = ({ judged: { call } }: { readonly judged: JudgeCall }) => (
  <Facts
    facts={[
      ["Judged", `iteration ${call.iteration}`],
      ["For", `criterion ${call.criterion + 1} of the loop`],
      ["Model", `${call.provider} / ${call.model}`],
      ["Duration", formatDurationMs(call.durationMs)],
      ...usageFacts(call.usage),
      ["Cost", formatCost(call.cost)],
    ]}
  />
);

const ACTIONS: Readonly<Record<string, string>> = {
  Recorded: "Only recorded: the definition asks for nothing else.",
  Note: "The model was told that it repeats itself.",
  ForcedAnswer: "The model could only answer, without tools.",
  Stop: "The run was stopped.",
};

export const WarningInspector = ({ warning }: { readonly warning: ProgressWarning }) => {
  const { kind, repeats, action, iteration, waits = false } = warning.step;
  return (
    <>
      <p className="font-medium [overflow-wrap:anywhere]">{warning.title}</p>
      <p>{ACTIONS[action] ?? action}</p>
      {waits ? (
        <p className="text-muted">It may be waiting: what it does looks like polling.</p>
      ) : null}
      <Facts
        facts={[
          ["Found", kind],
          ["Repeats", repeats],
          ["Iteration", iteration],
        ]}
      />
      <CodeBlock label="payload" text={JSON.stringify(warning.step, null, 2)} />
    </>
  );
};
