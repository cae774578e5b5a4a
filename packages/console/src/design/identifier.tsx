import { Check, Copy } from "lucide-react";
import { useServices } from "../app/services.tsx";
import { shortenMiddle } from "./format.ts";
import { useCopy } from "./use-copy.ts";

/** An id in mono, shortened in the middle; a click copies the whole. */
export function Identifier({ id, label }: { readonly id: string; readonly label: string }) {
  const { toasts } = useServices();
  const [copied, copy] = useCopy(() => toasts.show("failed", "The browser did not allow copying."));
  const Icon = copied ? Check : Copy;
  return (
    <button
      type="button"
      title={id}
      onClick={() => copy(id)}
      className="group inline-flex items-center gap-1 rounded-sm font-mono text-muted text-sm hover:text-ink"
    >
      <span className="sr-only">{copied ? `Copied ${label}` : `Copy ${label}`} </span>
      {shortenMiddle(id)}
      <Icon aria-hidden className="size-3 opacity-60 group-hover:opacity-100" />
    </button>
  );
}
