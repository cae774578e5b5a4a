import { SparseSettings } from "../form-context.tsx";
import { counted, FormSection } from "../form-section.tsx";
import { useItems } from "../group-fields.tsx";
import { RadioField } from "../radio-field.tsx";
import { TextField } from "../text-fields.tsx";
import { CalleesField } from "./callees-field.tsx";

const CALL_MODES = [
  {
    value: "BackgroundTasks",
    label: "Background tasks (default)",
    hint: "Six background_agents_* tools start tasks, wait for them and read what they answered. For work of several agents at once; a single question takes several model calls.",
  },
  {
    value: "Tool",
    label: "One tool each",
    hint: "Each agent is a tool named after it, and one call of it runs the agent and answers. For one question to one agent; several calls of a turn run at once only where the model's settings allow concurrent tool calls.",
  },
] as const;

/** Which agents this one may call, how, and how long it waits for them. */
export function CallableAgentsSection() {
  const count = useItems(["callableAgents"]).length;
  return (
    <FormSection
      title="Callable agents"
      members={["callableAgents", "subAgents"]}
      summary={count === 0 ? undefined : counted(count, "agent")}
      isOpen={count > 0}
    >
      <p className="col-span-full text-muted">
        An agent that is called runs below this one: it shares the budget of the tree, runs in the
        same tenant and cannot ask for approval.
      </p>
      <CalleesField />
      <SparseSettings>
        <RadioField
          path={["subAgents", "callMode"]}
          label="How they are called"
          defaultValue="BackgroundTasks"
          options={CALL_MODES}
        />
        <TextField
          path={["subAgents", "childDeadline"]}
          label="Deadline of a child"
          placeholder="as the server says"
          hint="hh:mm:ss, 10s, 2m or 1h. Then the child is asked to stop, which one that listens does. 2 minutes where neither the server nor this says otherwise; also how long a reviewer of the loop may take."
        />
        <TextField
          path={["subAgents", "waitTimeout"]}
          label="Hard cutoff of the wait"
          placeholder="as the server says"
          hint="Longer than the deadline. Then nobody waits any more: this agent goes on, the child does too, and what it still answers is discarded, but counted. 30 s behind the deadline by default."
        />
      </SparseSettings>
    </FormSection>
  );
}
