/** What a criterion of some kind reads: a field for each member the server names, and no other. */

import type { LoopCriteria, LoopCriterionDescriptor } from "@tracon/core";
import type { ReactNode } from "react";
import { Button } from "../../../../design/button.tsx";
import { JsonField } from "../editor-fields.tsx";
import { useForm, useMember } from "../form-context.tsx";
import { NamesField } from "../group-fields.tsx";
import { isJsonObject, type Path } from "../json-path.ts";
import { LongTextField, TextField } from "../text-fields.tsx";
import { JudgeNote } from "./judge-note.tsx";
import { ReviewerField, ReviewerVersionField } from "./reviewer-fields.tsx";

export function CriterionFields(props: {
  readonly path: Path;
  readonly kind: string;
  /** Absent for a kind the server does not list. */
  readonly descriptor: LoopCriterionDescriptor | undefined;
  readonly judge: LoopCriteria["judge"] | undefined;
  /** The server has said which kinds there are. */
  readonly isKnown: boolean;
}) {
  const { path, descriptor } = props;
  const criterion = useMember(path);
  const members = isJsonObject(criterion) ? criterion : {};
  const set = Object.keys(members).filter((name) => name !== "kind" && isSet(members[name]));
  const reads = descriptor?.fields ?? (props.isKnown ? [] : set);
  const rest = descriptor === undefined ? [] : set.filter((name) => !reads.includes(name));
  return (
    <>
      {props.kind === "aiJudge" && props.judge !== undefined ? (
        <JudgeNote judge={props.judge} />
      ) : null}
      {reads.length === 0 ? null : (
        <div data-criterion-fields className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
          {reads.map((member) => (
            <MemberField key={member} path={[...path, member]} member={member} />
          ))}
        </div>
      )}
      {descriptor !== undefined && reads.length === 0 ? (
        <p className="text-faint text-sm">It has nothing to set.</p>
      ) : null}
      {rest.length === 0 ? null : <Unread path={path} names={rest} />}
    </>
  );
}

const isSet = (value: unknown): boolean =>
  value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);

const fields: Readonly<Record<string, (path: Path) => ReactNode>> = {
  marker: (path) => (
    <TextField
      path={path}
      label="Marker"
      placeholder="ALL DONE"
      hint="The text that ends the loop. Tell the agent in its instructions to write it once it is done."
    />
  ),
  modes: (path) => (
    <NamesField
      path={path}
      label="Modes"
      item="mode"
      hint="Counts open items only while the agent is in one of these modes; in every mode when there is none."
    />
  ),
  judgeCriteria: (path) => (
    <NamesField
      path={path}
      label="What the judge looks for"
      item="judge criterion"
      hint="One sentence each. The work is finished when all of them hold."
    />
  ),
  judgeInstructions: (path) => (
    <LongTextField
      path={path}
      label="Judge instructions"
      hint="Replaces what the judge is told by default. Its criteria stand where {criteria} is."
    />
  ),
  reviewerAgent: (path) => <ReviewerField path={path} />,
  reviewerAgentVersion: (path) => <ReviewerVersionField path={path} />,
};

/** A member that this console has no field for is edited as JSON. */
const MemberField = ({ path, member }: { readonly path: Path; readonly member: string }) =>
  fields[member]?.(path) ?? <JsonField path={path} label={member} />;

/** What a change of the kind has left behind. */
function Unread({ path, names }: { readonly path: Path; readonly names: readonly string[] }) {
  const { put } = useForm();
  const criterion = useMember(path);
  const remove = () => {
    const entries = Object.entries(isJsonObject(criterion) ? criterion : {});
    put(path, Object.fromEntries(entries.filter(([name]) => !names.includes(name))));
  };
  return (
    <p className="flex flex-wrap items-center gap-2 text-muted text-sm">
      This kind does not read {names.join(", ")}.
      <Button tone="quiet" onClick={remove}>
        Remove {names.length === 1 ? "it" : "them"}
      </Button>
    </p>
  );
}
