import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { AgentDefinition } from "@tracon/core";
import { Undo2 } from "lucide-react";
import { useState } from "react";
import { agentVersionsQuery } from "../../app/queries.ts";
import { failureOf } from "../../app/remedy.ts";
import { useServices } from "../../app/services.tsx";
import { Button } from "../../design/button.tsx";
import { classNames } from "../../design/class-names.ts";
import { Dialog } from "../../design/dialog.tsx";
import { Tag } from "../../design/facts.tsx";
import { formatInstant } from "../../design/format.ts";
import { FailureView, Loading } from "../../design/state-view.tsx";
import type { AgentSearch } from "./agent-route.ts";
import { comparableText, contentOf } from "./definition-text.ts";
import { DiffView } from "./diff-view.tsx";

/** Every version of an agent, any two of them side by side, and the way back to an older one. */
export function AgentVersions(props: {
  readonly name: string;
  readonly search: AgentSearch;
  readonly onShow: (search: AgentSearch) => void;
}) {
  const { api } = useServices();
  const query = useQuery(agentVersionsQuery(api, props.name));
  const [target, setTarget] = useState<AgentDefinition>();
  const versions = query.data;
  const current = versions?.at(0);
  if (versions === undefined || current === undefined) {
    return query.error === null ? (
      <Loading what="versions" rows={4} />
    ) : (
      <FailureView error={query.error} onRetry={() => void query.refetch()} />
    );
  }

  const right = find(versions, props.search.right) ?? current;
  const left = find(versions, props.search.left) ?? versions.at(1) ?? current;
  const compared: Compared = {
    left: left.version,
    right: right.version,
    onCompare: (pair) =>
      props.onShow({ view: "versions", left: left.version, right: right.version, ...pair }),
  };
  return (
    <div className="flex min-h-0 flex-1 flex-col lg:flex-row">
      <ol
        aria-label="Versions"
        className="shrink-0 overflow-auto border-hairline border-b max-lg:max-h-56 lg:w-96 lg:border-r lg:border-b-0"
      >
        <li
          aria-hidden
          className="flex h-7 items-center gap-2 border-hairline border-b pl-3 text-muted text-sm"
        >
          <span>From</span>
          <span>To</span>
        </li>
        {versions.map((version) => (
          <VersionRow
            key={version.version}
            version={version}
            isCurrent={version === current}
            compared={compared}
            onRollback={() => setTarget(version)}
          />
        ))}
      </ol>
      <div className="min-w-0 flex-1 overflow-auto p-4">
        {left === right ? (
          <p className="text-muted">
            {versions.length === 1
              ? "There is one version. A second one can be compared with it here."
              : "Pick another version to compare it with."}
          </p>
        ) : (
          <DiffView left={side(left)} right={side(right)} />
        )}
      </div>
      {target === undefined ? null : (
        <Rollback
          name={props.name}
          target={target}
          current={current}
          onClose={() => setTarget(undefined)}
        />
      )}
    </div>
  );
}

const find = (versions: readonly AgentDefinition[], version: number | undefined) =>
  versions.find((it) => it.version === version);

const side = (definition: AgentDefinition) => ({
  title: `v${definition.version}`,
  text: comparableText(contentOf(definition)),
});

type Compared = {
  readonly left: number;
  readonly right: number;
  readonly onCompare: (pair: { readonly left?: number; readonly right?: number }) => void;
};

const VersionRow = (props: {
  readonly version: AgentDefinition;
  readonly isCurrent: boolean;
  readonly compared: Compared;
  readonly onRollback: () => void;
}) => {
  const { version, updatedAt } = props.version;
  const { left, right, onCompare } = props.compared;
  return (
    <li
      className={classNames(
        "flex h-10 items-center gap-2 border-hairline border-b pr-2 pl-4",
        (version === left || version === right) && "bg-accent-soft",
      )}
    >
      <input
        type="radio"
        name="compared-left"
        aria-label={`Compare from version ${version}`}
        className="size-4 accent-accent"
        checked={version === left}
        onChange={() => onCompare({ left: version })}
      />
      <input
        type="radio"
        name="compared-right"
        aria-label={`Compare to version ${version}`}
        className="size-4 accent-accent"
        checked={version === right}
        onChange={() => onCompare({ right: version })}
      />
      <span className="font-medium tabular-nums">v{version}</span>
      <span className="min-w-0 flex-1 truncate text-muted text-sm tabular-nums">
        {updatedAt === undefined ? "" : formatInstant(updatedAt)}
      </span>
      {props.isCurrent ? (
        <Tag>current</Tag>
      ) : (
        <Button
          tone="quiet"
          icon={Undo2}
          aria-label={`Roll back to version ${version}`}
          onClick={props.onRollback}
        >
          Roll back
        </Button>
      )}
    </li>
  );
};

function Rollback(props: {
  readonly name: string;
  readonly target: AgentDefinition;
  readonly current: AgentDefinition;
  readonly onClose: () => void;
}) {
  const { api, toasts } = useServices();
  const queries = useQueryClient();
  const { version } = props.target;
  const rollback = useMutation({
    // What was compared is what is replaced: a version saved meanwhile was not seen.
    mutationFn: () => api.agents.rollback(props.name, version, { basedOn: props.current.version }),
    onSuccess: (saved) => {
      toasts.show("good", `Version ${saved.version} has the content of version ${version}.`);
      props.onClose();
      return queries.invalidateQueries({ queryKey: ["agents"] });
    },
    onError: (error) => {
      toasts.show("failed", `Nothing was rolled back: ${failureOf(error).detail}.`);
      props.onClose();
      return queries.invalidateQueries({ queryKey: ["agents"] });
    },
  });
  return (
    <Dialog
      isWide
      title={`Roll back to version ${version}?`}
      onClose={props.onClose}
      actions={
        <>
          <Button onClick={props.onClose}>Keep version {props.current.version}</Button>
          <Button tone="primary" disabled={rollback.isPending} onClick={() => rollback.mutate()}>
            Roll back
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <p>
          The content of version {version} becomes a new version. Nothing is lost; version{" "}
          {props.current.version} stays in the history.
        </p>
        <DiffView left={side(props.current)} right={side(props.target)} />
      </div>
    </Dialog>
  );
}
