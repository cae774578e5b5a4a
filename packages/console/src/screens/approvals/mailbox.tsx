import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ApprovalDecisionRequest, PendingApproval } from "@tracon/core";
import { Check, CircleSlash } from "lucide-react";
import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { metaQuery, type WaitingApprovals } from "../../app/queries.ts";
import { useServices } from "../../app/services.tsx";
import { Button, buttonClass } from "../../design/button.tsx";
import { Empty } from "../../design/state-view.tsx";
import { useNow } from "../../design/use-now.ts";
import { ApprovalList } from "./approval-list.tsx";
import { byUrgency } from "./approval-text.ts";
import { CardPane } from "./card-pane.tsx";
import { DecideDialog } from "./decide-dialog.tsx";
import { DecidedList } from "./decided-list.tsx";
import { hasExpired } from "./expiry.tsx";
import { useDecisions } from "./use-decisions.ts";
import { useMailKeys } from "./use-mail-keys.ts";

const TICK_MS = 1_000;

/** A decision that waits for its confirmation. */
type Asking = { readonly approve: boolean; readonly approvals: readonly PendingApproval[] };

/** The calls that wait, and the card of one of them. */
export function Mailbox(props: {
  readonly waiting: WaitingApprovals;
  readonly at: string | undefined;
  readonly onShow: (id: string | undefined) => void;
}) {
  const { at, onShow } = props;
  const { api } = useServices();
  const { data: meta } = useQuery(metaQuery(api));
  const canDecide = meta?.roles.canOperate ?? false;
  const nowMs = useNow(TICK_MS);
  const list = useRef<HTMLDivElement>(null);
  const decisions = useDecisions();
  const [asking, setAsking] = useState<Asking>();
  const pending = useMemo(() => byUrgency(props.waiting.items), [props.waiting.items]);
  const { chosen, toggle, clear } = useChosen(pending);
  const shownId = at ?? pending.at(0)?.id;
  const shown = pending.find(({ id }) => id === shownId);

  const ask = (approve: boolean, approvals: readonly PendingApproval[]) => {
    const open = approvals.filter((it) => !hasExpired(it.expiresAt, Date.now()));
    if (canDecide && open.length > 0) setAsking({ approve, approvals: open });
  };
  const onDecide = async (decision: ApprovalDecisionRequest) => {
    if (asking === undefined) return;
    const [only] = asking.approvals;
    const failures = await decisions.decide(asking.approvals, decision);
    setAsking(undefined);
    clear();
    // A card that somebody else decided stays, to show how.
    const isLost = failures === 1 && asking.approvals.length === 1;
    onShow(isLost ? only?.id : followingId(pending, asking.approvals));
  };

  useFocusAfterDecision(list, shownId, asking !== undefined);
  useMailKeys({
    pending,
    list,
    shown,
    onShow,
    onToggle: () => shown !== undefined && canDecide && toggle(shown.id),
    onAsk: (approve) => ask(approve, chosen.length > 0 ? chosen : shown ? [shown] : []),
  });

  if (pending.length === 0 && at === undefined && decisions.decided.length === 0) {
    return <NothingWaits />;
  }
  return (
    <div className="relative flex min-h-0 flex-1">
      <div ref={list} className="flex min-h-0 w-full flex-col overflow-auto lg:w-96 lg:shrink-0">
        {chosen.length === 0 ? null : (
          <BatchBar chosen={chosen} onAsk={(approve) => ask(approve, chosen)} onClear={clear} />
        )}
        {pending.length === 0 ? <p className="px-4 py-3 text-muted">Nothing waits now.</p> : null}
        <ApprovalList
          approvals={pending}
          shown={shownId}
          nowMs={nowMs}
          scroller={list}
          selection={canDecide ? { ids: new Set(chosen.map(({ id }) => id)), toggle } : undefined}
        />
        {props.waiting.hasMore ? (
          <p className="px-4 py-3 text-muted">More wait. They come up as these are decided.</p>
        ) : null}
        <DecidedList decided={decisions.decided} shown={shownId} nowMs={nowMs} />
      </div>
      {shownId === undefined ? null : (
        <CardPane
          key={shownId}
          id={shownId}
          known={shown}
          isOpen={at !== undefined}
          nowMs={nowMs}
          canDecide={canDecide}
          onClose={() => onShow(undefined)}
          onAsk={(approve, approval) => ask(approve, [approval])}
        />
      )}
      {asking === undefined ? null : (
        <DecideDialog
          approve={asking.approve}
          approvals={asking.approvals}
          isDeciding={decisions.isDeciding}
          onDecide={(decision) => void onDecide(decision)}
          onClose={() => setAsking(undefined)}
        />
      )}
    </div>
  );
}

/** The row that was decided is gone and the focus with it: what is shown next takes it. */
function useFocusAfterDecision(
  list: RefObject<HTMLElement | null>,
  shownId: string | undefined,
  isAsking: boolean,
): void {
  const hasAsked = useRef(false);
  useEffect(() => {
    hasAsked.current ||= isAsking;
    if (isAsking || !hasAsked.current || document.activeElement !== document.body) return;
    list.current?.querySelector<HTMLElement>(`[data-id="${shownId}"] a`)?.focus();
  }, [list, shownId, isAsking]);
}

/** What has been picked for one decision, without what no longer waits. */
function useChosen(pending: readonly PendingApproval[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  return {
    chosen: pending.filter(({ id }) => ids.has(id)),
    toggle: (id: string) =>
      setIds(
        (before) =>
          new Set(before.has(id) ? [...before].filter((it) => it !== id) : [...before, id]),
      ),
    clear: () => setIds(new Set()),
  };
}

/** The next one that stays when `gone` is decided; the one before at the end of the list. */
function followingId(
  pending: readonly PendingApproval[],
  gone: readonly PendingApproval[],
): string | undefined {
  const isGone = (it: PendingApproval) => gone.some(({ id }) => id === it.id);
  const index = pending.findIndex(isGone);
  const next = pending.slice(index).find((it) => !isGone(it));
  return (next ?? pending.findLast((it) => !isGone(it)))?.id;
}

const BatchBar = (props: {
  readonly chosen: readonly PendingApproval[];
  readonly onAsk: (approve: boolean) => void;
  readonly onClear: () => void;
}) => (
  <div className="sticky top-0 z-3 flex flex-wrap items-center gap-2 border-hairline border-b bg-surface px-4 py-1.5">
    <span role="status" className="mr-auto tabular-nums">
      {props.chosen.length} selected
    </span>
    <Button onClick={props.onClear}>Clear</Button>
    <Button tone="danger" icon={CircleSlash} onClick={() => props.onAsk(false)}>
      Decline
    </Button>
    <Button tone="primary" icon={Check} onClick={() => props.onAsk(true)}>
      Approve
    </Button>
  </div>
);

const NothingWaits = () => (
  <Empty
    title="Nothing waits for a decision"
    text="A tool that needs approval stops its run, and the call comes here with its arguments. Mark a tool in the configuration:"
    example={{
      label: "example tool",
      text: 'tools: {\n  refund: {\n    tool: refund,\n    requiresApproval: true,\n    effect: "irreversible",\n  },\n}',
    }}
    actions={
      <Link to="/playground" className={buttonClass("primary")}>
        Open the playground
      </Link>
    }
  />
);
