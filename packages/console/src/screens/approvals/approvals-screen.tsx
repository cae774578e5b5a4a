import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { pendingApprovalsQuery } from "../../app/queries.ts";
import { useServices } from "../../app/services.tsx";
import { FailureView, Loading } from "../../design/state-view.tsx";
import { Tabs } from "../../design/tabs.tsx";
import { TitleRow } from "../../design/title-row.tsx";
import { Mailbox } from "./mailbox.tsx";
import { RulesView } from "./rules-view.tsx";

const route = getRouteApi("/approvals");

/** What waits for a person's decision, and what was decided once and for all. */
export function ApprovalsScreen() {
  const { view = "waiting" } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <TitleRow title="Approvals" />
      <Tabs
        label="Views of approvals"
        value={view}
        onChange={(next) => void navigate({ search: { view: next }, replace: true })}
        tabs={[
          { value: "waiting", label: "Waiting", content: () => <Waiting /> },
          { value: "rules", label: "Standing rules", content: () => <RulesView /> },
        ]}
      />
    </>
  );
}

function Waiting() {
  const { api } = useServices();
  const { at } = route.useSearch();
  const navigate = route.useNavigate();
  const pending = useQuery(pendingApprovalsQuery(api));
  if (pending.data === undefined) {
    return pending.error === null ? (
      <Loading what="approvals" />
    ) : (
      <FailureView error={pending.error} onRetry={() => void pending.refetch()} />
    );
  }
  return (
    <Mailbox
      waiting={pending.data}
      at={at}
      onShow={(id) =>
        void navigate({ search: id === undefined ? {} : { at: id }, replace: at !== undefined })
      }
    />
  );
}
