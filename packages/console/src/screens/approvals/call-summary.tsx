import type { PendingApproval, ToolDescriptor } from "@tracon/core";
import { CodeBlock } from "../../design/code-block.tsx";
import { Tag } from "../../design/facts.tsx";
import { Fold } from "../../design/fold.tsx";
import { prettyJson } from "../../design/format.ts";

/** Longer arguments are folded at first: what the presenter says then has the room. */
const FOLDED_FROM_LENGTH = 600;

const effectWords: Readonly<Record<NonNullable<ToolDescriptor["effect"]>, string>> = {
  read: "only reads",
  idempotent: "may be repeated",
  reversible: "can be undone",
  irreversible: "cannot be undone",
};

/** What would be done: the tool's own words for it, its effect, and the arguments. */
export function CallSummary(props: {
  readonly call: Pick<PendingApproval, "arguments" | "presentation">;
  readonly tool?: ToolDescriptor | undefined;
}) {
  const { call, tool } = props;
  const { message, entityType, entityName, entityId } = call.presentation ?? {};
  const entity = [entityType, entityName, entityId].filter((it) => it !== undefined).join(" · ");
  const given = call.arguments;
  return (
    <div className="flex flex-col gap-3">
      {message === undefined ? null : <p className="text-lg [overflow-wrap:anywhere]">{message}</p>}
      {entity === "" ? null : <p className="text-muted [overflow-wrap:anywhere]">{entity}</p>}
      {tool === undefined ? null : (
        <p className="flex flex-wrap items-center gap-2 text-muted">
          {tool.effect === undefined ? null : <Tag>{effectWords[tool.effect]}</Tag>}
          {tool.description}
        </p>
      )}
      {given === undefined ? (
        <p className="text-muted">
          The arguments are not recorded here: recording of tool payloads is off.
        </p>
      ) : (
        <Fold
          summary="Arguments"
          isOpen={given.length < FOLDED_FROM_LENGTH || message === undefined}
        >
          <CodeBlock label="arguments" text={prettyJson(given)} />
        </Fold>
      )}
    </div>
  );
}
