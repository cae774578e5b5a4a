import { SettingsSwitch } from "../group-fields.tsx";
import type { Path } from "../json-path.ts";
import { FlagField, NumberField } from "../text-fields.tsx";

export const PROGRESS: Path = ["harness", "progress"];

/** What is done about runs that repeat themselves and change nothing, in a loop and outside of one. */
export const ProgressFields = () => (
  <SettingsSwitch
    path={PROGRESS}
    label="Settings for runs that get nowhere"
    hint="The same call again, agents that ask each other in turn, a draft or an objection that stays the same: it is always recorded and shown as a warning in the run."
  >
    <FlagField
      path={[...PROGRESS, "escalate"]}
      label="Step in"
      hint="With each further repeat: tell the model, then let it only answer, then stop the run, which fails as no_progress."
    />
    <NumberField
      path={[...PROGRESS, "maxRepeats"]}
      label="Stop after repeats"
      placeholder="4"
      hint="At least 4. The model is told two repeats before."
    />
  </SettingsSwitch>
);
