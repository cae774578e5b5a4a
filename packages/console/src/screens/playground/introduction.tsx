import { Link } from "@tanstack/react-router";
import { buttonClass } from "../../design/button.tsx";
import { Empty } from "../../design/state-view.tsx";
import { TitleRow } from "../../design/title-row.tsx";

/** What the playground is, before anything was said. */
export const Introduction = (props: { readonly name: string; readonly hasMemory: boolean }) => (
  <div className="flex flex-col gap-2 rounded-md border border-hairline bg-surface p-4">
    <h2 className="font-semibold">Try {props.name}</h2>
    <p className="text-muted">
      {props.hasMemory
        ? "Your messages and the answers are kept as a session, so the agent sees what was said before. Each message is a run that is recorded and can be opened from its answer."
        : "Each message starts a run of its own, without a session: the agent does not see the messages before it. Every run is recorded and can be opened from its answer."}
    </p>
    <p>
      <Link to="/agents/$name" params={{ name: props.name }} className="text-accent underline">
        See its definition
      </Link>
    </p>
  </div>
);

export const NoAgents = () => (
  <>
    <TitleRow title="Playground" />
    <Empty
      title="There is no agent to run"
      text="The playground runs an agent and shows its answer as it comes. Create one first."
      actions={
        <Link to="/new-agent" className={buttonClass("primary")}>
          New agent
        </Link>
      }
    />
  </>
);
