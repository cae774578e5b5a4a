import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { AgentDetail } from "@tracon/core";
import { useServices } from "../../app/services.tsx";
import { buttonClass } from "../../design/button.tsx";
import { Select } from "../../design/field.tsx";
import { Empty, FailureView, Loading } from "../../design/state-view.tsx";
import { windowNames } from "../home/home-route.ts";
import { type LoopWindow, loopWindows } from "./agent-route.ts";
import { criteriaQuery } from "./criteria-query.ts";
import { CriterionEconomics } from "./criterion-economics.tsx";

const names: Readonly<Record<LoopWindow, string>> = { ...windowNames, all: "All time" };

/** What the criteria of an agent's loop were good for, and what they took. */
export function AgentLoop(props: {
  readonly detail: AgentDetail;
  readonly since: LoopWindow;
  readonly onSince: (since: LoopWindow) => void;
}) {
  const { detail, since } = props;
  const { api } = useServices();
  const criteria = useQuery(criteriaQuery(api, detail.descriptor.name, since));
  if (criteria.data === undefined) {
    return criteria.error === null ? (
      <Loading what="figures of the loop" rows={4} />
    ) : (
      <FailureView error={criteria.error} onRetry={() => void criteria.refetch()} />
    );
  }
  const rows = criteria.data.toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0));
  return (
    <div className="flex flex-1 flex-col gap-4 p-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="font-semibold">What its criteria decided and took</h2>
        <Select
          aria-label="Time"
          value={since}
          onPick={(next) => props.onSince(next as LoopWindow)}
          options={loopWindows.map((value) => ({ value, label: names[value] }))}
        />
      </div>
      {rows.length === 0 ? (
        <NoFigures detail={detail} />
      ) : (
        <>
          <p className="max-w-3xl text-muted">
            Of its runs that have ended. An evaluation changed the outcome when it started another
            iteration, ended the loop by its failure or failed the run.
          </p>
          <ol className="flex max-w-3xl flex-col gap-2">
            {rows.map((row) => (
              <CriterionEconomics key={`${row.position} ${row.kind}`} row={row} />
            ))}
          </ol>
        </>
      )}
    </div>
  );
}

function NoFigures({
  detail: { descriptor, definition, isEditable },
}: {
  readonly detail: AgentDetail;
}) {
  if (definition !== null && definition.harness?.loop === undefined) {
    return (
      <Empty
        title="It has no loop"
        text="A loop invokes the agent again until its criteria say that the work is done. What each of them decides and costs is then counted here."
        actions={
          isEditable ? (
            <Link
              to="/agents/$name/edit"
              params={{ name: descriptor.name }}
              className={buttonClass("primary")}
            >
              Add a loop
            </Link>
          ) : undefined
        }
      />
    );
  }
  return (
    <Empty
      title="No criterion was asked"
      text="No run of this agent whose loop asked a criterion has ended in this time."
      actions={
        <Link
          to="/playground"
          search={{ agent: descriptor.name }}
          className={buttonClass("primary")}
        >
          Run it
        </Link>
      }
    />
  );
}
