import { X } from "lucide-react";
import { IconButton } from "../../design/button.tsx";
import { Select, TextInput } from "../../design/field.tsx";
import { type ConditionDraft, type ConditionOperator, conditionOperators } from "./rule-draft.ts";
import { operatorSign } from "./rule-text.ts";

const LISTS: ReadonlySet<ConditionOperator> = new Set(["In", "NotIn"]);

/** One thing that must hold of a call's arguments. */
export const ConditionRow = (props: {
  readonly condition: ConditionDraft;
  readonly onChange: (condition: ConditionDraft) => void;
  readonly onRemove: () => void;
}) => {
  const { condition, onChange } = props;
  return (
    <div className="flex items-center gap-2">
      <TextInput
        required
        aria-label="Member of the arguments"
        placeholder="order.amount"
        className="w-0 flex-1 font-mono text-sm"
        value={condition.path}
        onChange={(event) => onChange({ ...condition, path: event.target.value })}
      />
      <Select
        aria-label="Comparison"
        value={condition.operator}
        onPick={(operator) => onChange({ ...condition, operator: operator as ConditionOperator })}
        options={conditionOperators.map((value) => ({ value, label: operatorSign(value) }))}
      />
      <TextInput
        required
        aria-label="Value"
        placeholder={LISTS.has(condition.operator) ? "DE, AT" : "20"}
        className="w-0 flex-1 font-mono text-sm"
        value={condition.value}
        onChange={(event) => onChange({ ...condition, value: event.target.value })}
      />
      <IconButton icon={X} label="Remove the condition" onClick={props.onRemove} />
    </div>
  );
};
