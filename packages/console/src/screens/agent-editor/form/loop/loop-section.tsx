import { useMember } from "../form-context.tsx";
import { counted, FormSection } from "../form-section.tsx";
import { SettingsSwitch, useItems } from "../group-fields.tsx";
import { RadioField } from "../radio-field.tsx";
import { FlagField, NumberField } from "../text-fields.tsx";
import { CriteriaField } from "./criteria-field.tsx";
import { LOOP } from "./loop-path.ts";
import { PROGRESS, ProgressFields } from "./progress-fields.tsx";

/** The loop that invokes the agent again until its criteria say that the work is done. */
export function LoopSection() {
  const isOn = useMember(LOOP) !== undefined;
  const hasProgress = useMember(PROGRESS) !== undefined;
  const count = useItems([...LOOP, "criteria"]).length;
  return (
    <FormSection
      title="Loop"
      members={["harness.loop", "harness.progress"]}
      summary={isOn ? counted(count, "criterion", "criteria") : undefined}
      isOpen={isOn || hasProgress}
    >
      <SettingsSwitch
        path={LOOP}
        label="Run until the work is done"
        hint="Invokes the agent again until every criterion is satisfied. Each iteration is recorded, and the run's usage is the sum of all. It is part of the harness and turns that on."
      >
        <CriteriaField />
        <NumberField
          path={[...LOOP, "maxIterations"]}
          label="Most iterations"
          placeholder="10"
          hint="The ceiling of the loop, which is never open: 10 when nothing is written. The harness's model calls per request bound what happens within one iteration."
        />
        <FlagField
          path={[...LOOP, "freshContextPerIteration"]}
          label="Start every iteration with a fresh context"
          hint="The agent then sees the request and the criterion's feedback, and not what it answered before. For an agent that repeats itself."
        />
        <RadioField
          path={[...LOOP, "onExhausted"]}
          label="When the ceiling is reached and a criterion still asks for more"
          defaultValue="ReturnLastResponse"
          options={ON_EXHAUSTED}
        />
        <RadioField
          path={[...LOOP, "onCriterionError"]}
          label="When a criterion cannot be evaluated"
          defaultValue="ReturnLastResponse"
          options={ON_ERROR}
        />
      </SettingsSwitch>
      <ProgressFields />
    </FormSection>
  );
}

const ON_EXHAUSTED = [
  {
    value: "ReturnLastResponse",
    label: "Return the last response (default)",
    hint: "The run completes with the answer of the last iteration, which nothing has accepted: it is not evaluated.",
  },
  {
    value: "FailRun",
    label: "Fail the run",
    hint: "The last iteration is evaluated too, one evaluation more. If it is not accepted, the run fails as loop_unsatisfied, keeps its usage, and a workflow stops there.",
  },
] as const;

const ON_ERROR = [
  {
    value: "ReturnLastResponse",
    label: "Return the last response (default)",
    hint: "The loop stops and the run completes with the work that is there. Its events name the criterion that failed.",
  },
  {
    value: "FailRun",
    label: "Fail the run",
    hint: "The run fails with the criterion's own error: a judge that cannot be reached is a provider's error.",
  },
] as const;
