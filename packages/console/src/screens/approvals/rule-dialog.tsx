import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { TraconApiError } from "@tracon/client";
import { Plus } from "lucide-react";
import { type SyntheticEvent, useState } from "react";
import { agentsQuery, approvalRulesQuery, toolsQuery } from "../../app/queries.ts";
import { failureOf } from "../../app/remedy.ts";
import { useServices } from "../../app/services.tsx";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Field, Select } from "../../design/field.tsx";
import { ConditionRow } from "./condition-row.tsx";
import { type ConditionDraft, type RuleDraft, ruleRequest } from "./rule-draft.ts";

const ALL = "";

/** Writes a standing rule: calls that it covers wait for nobody. */
export function RuleDialog({ onClose }: { readonly onClose: () => void }) {
  const { api } = useServices();
  const { data: tools = [] } = useQuery(toolsQuery(api));
  const { data: agents = [] } = useQuery(agentsQuery(api));
  const [picked, setPicked] = useState<string>();
  const [agentName, setAgentName] = useState(ALL);
  const [conditions, setConditions] = useState<readonly ConditionDraft[]>([]);
  const create = useCreateRule(onClose);
  const toolName = picked ?? tools.at(0)?.name ?? "";

  const change = (next: ConditionDraft) =>
    setConditions(conditions.map((it) => (it.key === next.key ? next : it)));
  const add = () => {
    const key = Math.max(-1, ...conditions.map((it) => it.key)) + 1;
    setConditions([...conditions, { key, path: "", operator: "LessThanOrEqual", value: "" }]);
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    create.mutate({ toolName, agentName, conditions });
  };

  return (
    <Dialog title="New standing rule" onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label="Tool whose calls need no decision">
          <Select
            data-autofocus
            value={toolName}
            onPick={setPicked}
            options={tools.map(({ name }) => ({ value: name, label: name }))}
          />
        </Field>
        <Field label="Agent">
          <Select
            value={agentName}
            onPick={setAgentName}
            options={[
              { value: ALL, label: "Every agent" },
              ...agents.map(({ name }) => ({ value: name, label: name })),
            ]}
          />
        </Field>
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1 text-muted text-sm">
            {conditions.length === 0 ? "Whatever the arguments" : "When all of this holds"}
          </legend>
          {conditions.map((condition) => (
            <ConditionRow
              key={condition.key}
              condition={condition}
              onChange={change}
              onRemove={() => setConditions(conditions.filter((it) => it !== condition))}
            />
          ))}
          <Button icon={Plus} className="self-start" onClick={add}>
            Add a condition
          </Button>
        </fieldset>
        <Problem error={create.error} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" disabled={create.isPending || toolName === ""}>
            {create.isPending ? "Creating…" : "Create rule"}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function useCreateRule(onClose: () => void) {
  const { api, toasts } = useServices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (draft: RuleDraft) => api.approvals.rules.create(ruleRequest(draft)),
    onSuccess: ({ toolName }) => {
      toasts.show("good", `New calls of ${toolName} that the rule covers wait for nobody.`);
      onClose();
      return queries.invalidateQueries({ queryKey: approvalRulesQuery(api).queryKey });
    },
  });
}

/** Every finding of the server, so that all can be corrected at once. */
const Problem = ({ error }: { readonly error: unknown }) => {
  if (error === null) return null;
  const findings = error instanceof TraconApiError ? error.findings : [];
  return (
    <div role="alert" className="text-failed [overflow-wrap:anywhere]">
      {findings.length === 0 ? (
        failureOf(error).detail
      ) : (
        <ul>
          {findings.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              {path}: {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
};
