import { useQuery } from "@tanstack/react-query";
import type { PendingApproval } from "@tracon/core";
import { ArrowLeft } from "lucide-react";
import { useEffect, useRef } from "react";
import { approvalQuery } from "../../app/queries.ts";
import { useServices } from "../../app/services.tsx";
import { Button } from "../../design/button.tsx";
import { classNames } from "../../design/class-names.ts";
import { FailureView, Loading } from "../../design/state-view.tsx";
import { ApprovalCard } from "./approval-card.tsx";

/**
 * Beside the list where there is room for both; otherwise over it, when its address is open. What
 * does not wait any more is read by its id, so that a link to a card works for ever.
 */
export function CardPane(props: {
  readonly id: string;
  /** From the list of what waits. */
  readonly known: PendingApproval | undefined;
  readonly isOpen: boolean;
  readonly nowMs: number;
  readonly canDecide: boolean;
  readonly onClose: () => void;
  readonly onAsk: (approve: boolean, approval: PendingApproval) => void;
}) {
  const { api } = useServices();
  const pane = useRef<HTMLDivElement>(null);
  const one = useQuery({ ...approvalQuery(api, props.id), enabled: props.known === undefined });
  const approval = props.known ?? one.data;
  // Where the card covers the list, the focus goes with it.
  useEffect(() => {
    if (props.isOpen && window.matchMedia("(width < 64rem)").matches) pane.current?.focus();
  }, [props.isOpen]);

  return (
    <div
      ref={pane}
      tabIndex={-1}
      className={classNames(
        "min-w-0 flex-1 flex-col border-hairline bg-canvas outline-none lg:static lg:flex lg:border-l",
        props.isOpen ? "absolute inset-0 z-20 flex max-md:fixed max-md:top-11" : "hidden",
      )}
    >
      <div className="flex h-11 shrink-0 items-center border-hairline border-b bg-surface px-2 lg:hidden">
        <Button tone="quiet" icon={ArrowLeft} onClick={props.onClose}>
          All that waits
        </Button>
      </div>
      {approval !== undefined ? (
        <ApprovalCard
          approval={approval}
          nowMs={props.nowMs}
          canDecide={props.canDecide}
          onAsk={(approve) => props.onAsk(approve, approval)}
        />
      ) : one.error === null ? (
        <Loading what="approval" />
      ) : (
        <FailureView error={one.error} onRetry={() => void one.refetch()} />
      )}
    </div>
  );
}
