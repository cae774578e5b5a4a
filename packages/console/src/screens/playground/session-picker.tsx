import { useQuery } from "@tanstack/react-query";
import { recentSessionsQuery } from "../../app/queries.ts";
import { useServices } from "../../app/services.tsx";
import { Select } from "../../design/field.tsx";
import { formatAgo, shortenName } from "../../design/format.ts";
import { useNow } from "../../design/use-now.ts";

/** What is said where: a new conversation, one that goes on, or none that is kept. */
export type SessionChoice =
  | { readonly kind: "new" }
  | { readonly kind: "existing"; readonly id: string }
  | { readonly kind: "none" };

const MINUTE_MS = 60_000;
/** Values of the list; an id stands behind its sign. */
const NEW = "new";
const NONE = "none";
const EXISTING = "#";

export function SessionPicker(props: {
  readonly agentName: string;
  readonly choice: SessionChoice;
  readonly isDisabled: boolean;
  readonly onPick: (choice: SessionChoice) => void;
}) {
  const { api } = useServices();
  const { choice } = props;
  const { data: recent = [] } = useQuery(recentSessionsQuery(api, props.agentName));
  const nowMs = useNow(MINUTE_MS);
  const known = recent.map(({ id, updatedAt }) => ({
    value: EXISTING + id,
    label: `${shortenName(id)}, ${formatAgo(updatedAt, nowMs)}`,
  }));
  const value = choice.kind === "existing" ? EXISTING + choice.id : choice.kind;
  const isKnown = choice.kind !== "existing" || known.some((it) => it.value === value);

  return (
    <Select
      aria-label="Session"
      className="max-w-64"
      disabled={props.isDisabled}
      value={value}
      onPick={(picked) => props.onPick(choiceOf(picked))}
      options={[
        { value: NEW, label: "New session" },
        ...(isKnown ? [] : [{ value, label: "This session" }]),
        ...known,
        { value: NONE, label: "Without a session" },
      ]}
    />
  );
}

const choiceOf = (value: string): SessionChoice =>
  value === NEW || value === NONE
    ? { kind: value }
    : { kind: "existing", id: value.slice(EXISTING.length) };
