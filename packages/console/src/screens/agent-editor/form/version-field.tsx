import { useQuery } from "@tanstack/react-query";
import { agentVersionsQuery } from "../../../app/queries.ts";
import { useServices } from "../../../app/services.tsx";
import { Select } from "../../../design/field.tsx";
import { useMember } from "./form-context.tsx";
import { type FieldProps, FormField } from "./form-field.tsx";
import { Misfit } from "./text-fields.tsx";

/** Which version of an agent runs: its current one, or one for good. */
export function VersionField(
  props: FieldProps & {
    readonly agent: string;
    /** `undefined` for the current one, whichever that is when it runs. */
    readonly onPick: (version: number | undefined) => void;
  },
) {
  const { api } = useServices();
  const versions = useQuery(agentVersionsQuery(api, props.agent)).data ?? [];
  const pinned = useMember(props.path);
  const numbers = versions.map(({ version }) => version);
  const [current] = numbers;
  const isPin = typeof pinned === "number";
  const offered = isPin && !numbers.includes(pinned) ? [...numbers, pinned] : numbers;
  return (
    <FormField {...props}>
      {(control) =>
        pinned === undefined || isPin ? (
          <Select
            {...control}
            value={isPin ? String(pinned) : ""}
            onPick={(picked) => props.onPick(picked === "" ? undefined : Number(picked))}
            options={[
              {
                value: "",
                label: current === undefined ? "current" : `current, now v${current}`,
              },
              ...offered.map((it) => ({ value: String(it), label: `v${it}` })),
            ]}
          />
        ) : (
          <Misfit value={pinned} id={control.id} />
        )
      }
    </FormField>
  );
}
