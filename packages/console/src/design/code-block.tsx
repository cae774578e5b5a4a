import { Check, Copy } from "lucide-react";
import { useServices } from "../app/services.tsx";
import { IconButton } from "./button.tsx";
import { classNames } from "./class-names.ts";
import { useCopy } from "./use-copy.ts";

/** Text as it is, in mono, with a button that copies it. Long text scrolls inside. */
export function CodeBlock(props: {
  readonly text: string;
  /** What the text is; names the region and the copy button. */
  readonly label: string;
  readonly isTall?: boolean;
}) {
  const { toasts } = useServices();
  const [copied, copy] = useCopy(() => toasts.show("failed", "The browser did not allow copying."));
  return (
    <div className="relative">
      {/* A figure and no region: landmarks must have different names, and blocks often share one. */}
      <figure
        aria-label={props.label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className={classNames(
          "overflow-auto rounded-md border border-hairline bg-raised px-3 py-2 pr-9",
          !props.isTall && "max-h-72",
        )}
      >
        <pre className="whitespace-pre-wrap font-mono text-sm [overflow-wrap:anywhere]">
          {props.text}
        </pre>
      </figure>
      <IconButton
        icon={copied ? Check : Copy}
        label={copied ? `${props.label} copied` : `Copy ${props.label}`}
        onClick={() => copy(props.text)}
        className="absolute top-1 right-1 bg-raised"
      />
    </div>
  );
}
