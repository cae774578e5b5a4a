import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { SessionRecord } from "@tracon/core";
import { useRef } from "react";
import { agentsQuery, sessionPagesQuery } from "../../app/queries.ts";
import { useServices } from "../../app/services.tsx";
import { Button, buttonClass } from "../../design/button.tsx";
import { DataTable } from "../../design/data-table.tsx";
import { Select } from "../../design/field.tsx";
import { Empty, FailureView, Loading } from "../../design/state-view.tsx";
import { TitleRow } from "../../design/title-row.tsx";
import { useNow } from "../../design/use-now.ts";
import { useRowKeys } from "../../design/use-row-keys.ts";
import { SESSION_COLUMNS, SessionRow } from "./session-row.tsx";

const route = getRouteApi("/sessions");
const ALL = "";
const TICK_MS = 10_000;

/** Conversations that are kept, the last used first. */
export function SessionsScreen() {
  const { agent } = route.useSearch();
  const navigate = route.useNavigate();
  const show = (name: string) =>
    void navigate({ search: name === ALL ? {} : { agent: name }, replace: true });
  return (
    <>
      <TitleRow
        title="Sessions"
        actions={
          <Link to="/playground" className={buttonClass("primary")}>
            Start one
          </Link>
        }
      />
      <AgentFilter agent={agent} onPick={show} />
      <SessionPages key={agent} agent={agent} onClear={() => show(ALL)} />
    </>
  );
}

function AgentFilter(props: {
  readonly agent: string | undefined;
  readonly onPick: (name: string) => void;
}) {
  const { api } = useServices();
  const { data: agents = [] } = useQuery(agentsQuery(api));
  // An agent that is gone still has sessions, so the chosen one is always among the options.
  const names = new Set([
    ...(props.agent === undefined ? [] : [props.agent]),
    ...agents.map(({ name }) => name),
  ]);
  return (
    <search className="flex gap-2 px-4 py-2" aria-label="Filters">
      <Select
        aria-label="Agent"
        className="max-w-60"
        value={props.agent ?? ALL}
        onPick={props.onPick}
        options={[
          { value: ALL, label: "All agents" },
          ...Array.from(names, (name) => ({ value: name, label: name })),
        ]}
      />
    </search>
  );
}

function SessionPages(props: { readonly agent: string | undefined; readonly onClear: () => void }) {
  const { api } = useServices();
  const pages = useInfiniteQuery(sessionPagesQuery(api, { agentName: props.agent }));
  if (pages.data === undefined) {
    return pages.error === null ? (
      <Loading what="sessions" />
    ) : (
      <FailureView error={pages.error} onRetry={() => void pages.refetch()} />
    );
  }
  const sessions = pages.data.pages.flatMap(({ items }) => items);
  if (sessions.length > 0) {
    return (
      <SessionTable
        sessions={sessions}
        hasMore={pages.hasNextPage}
        isLoading={pages.isFetchingNextPage}
        onMore={() => void pages.fetchNextPage()}
      />
    );
  }
  return props.agent === undefined ? (
    <NoSessions />
  ) : (
    <Empty
      title="No session of this agent"
      text={`Nobody has talked to ${props.agent} in a session yet.`}
      actions={<Button onClick={props.onClear}>Show all sessions</Button>}
    />
  );
}

function SessionTable(props: {
  readonly sessions: readonly SessionRecord[];
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly onMore: () => void;
}) {
  const { sessions } = props;
  const list = useRef<HTMLDivElement>(null);
  const nowMs = useNow(TICK_MS);
  useRowKeys(list, sessions.length);
  return (
    <div ref={list}>
      <DataTable label="Sessions" columns={SESSION_COLUMNS}>
        {sessions.map((session, index) => (
          <SessionRow key={session.id} session={session} index={index} nowMs={nowMs} />
        ))}
      </DataTable>
      <div className="flex h-12 items-center justify-center gap-3 text-muted">
        <span>
          {sessions.length} {sessions.length === 1 ? "session" : "sessions"}
          {props.hasMore ? " loaded" : ""}
        </span>
        {props.hasMore ? (
          <Button onClick={props.onMore} disabled={props.isLoading}>
            {props.isLoading ? "Loading…" : "Load more"}
          </Button>
        ) : null}
      </div>
    </div>
  );
}

const NoSessions = () => (
  <Empty
    title="No sessions yet"
    text="A session is a conversation that is kept: each run of it sees what was said before. Name one in a run request, or talk to an agent in the playground."
    example={{
      label: "example request",
      text: '{ "message": "Hello", "sessionId": "customer-4711" }',
    }}
    actions={
      <Link to="/playground" className={buttonClass("primary")}>
        Open the playground
      </Link>
    }
  />
);
