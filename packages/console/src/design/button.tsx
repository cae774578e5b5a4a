import type { LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";
import { Hint } from "./hint.tsx";

const tones = {
  primary: "bg-accent text-on-accent border-transparent hover:opacity-90",
  plain: "bg-surface text-ink border-edge/60 hover:bg-raised",
  danger: "bg-surface text-failed border-failed/60 hover:bg-raised",
  quiet: "border-transparent text-muted hover:text-ink hover:bg-raised",
} as const;

export type ButtonTone = keyof typeof tones;

const SHAPE =
  "inline-flex h-7 shrink-0 items-center gap-1.5 whitespace-nowrap rounded-md border px-2.5 font-medium disabled:opacity-50";

/** The look of a button, also for links that act like one. */
export const buttonClass = (tone: ButtonTone = "plain"): string => classNames(SHAPE, tones[tone]);

type ButtonProps = ComponentProps<"button"> & {
  readonly tone?: ButtonTone;
  readonly icon?: LucideIcon;
};

export const Button = ({ tone, icon: Icon, className, children, ...rest }: ButtonProps) => (
  <button type="button" className={classNames(buttonClass(tone), className)} {...rest}>
    {Icon === undefined ? null : <Icon aria-hidden className="size-3.5" />}
    {children}
  </button>
);

type IconButtonProps = Omit<ComponentProps<"button">, "aria-label"> & {
  readonly icon: LucideIcon;
  /** What the button does; also shown as a hint. */
  readonly label: string;
};

export const IconButton = ({ icon: Icon, label, className, ...rest }: IconButtonProps) => (
  <Hint text={label}>
    <button
      type="button"
      aria-label={label}
      className={classNames(
        "inline-flex size-7 shrink-0 items-center justify-center rounded-md text-muted hover:bg-raised hover:text-ink",
        className,
      )}
      {...rest}
    >
      <Icon aria-hidden className="size-4" />
    </button>
  </Hint>
);
