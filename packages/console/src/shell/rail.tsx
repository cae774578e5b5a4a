import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Keyboard, PanelLeftClose, PanelLeftOpen, Search } from "lucide-react";
import { metaQuery } from "../app/queries.ts";
import { useServices } from "../app/services.tsx";
import { IconButton } from "../design/button.tsx";
import { classNames } from "../design/class-names.ts";
import { CONTROL } from "../design/field.tsx";
import { Hint } from "../design/hint.tsx";
import { type Destination, navigation } from "./navigation.ts";
import { ThemeChoice } from "./theme-choice.tsx";
import { WaitingBadge } from "./waiting-badge.tsx";

type RailProps = {
  readonly isNarrow: boolean;
  /** On small screens the rail lies over the page, when it is open. */
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly onClose: () => void;
  readonly onPalette: () => void;
  readonly onKeys: () => void;
};

export function Rail({ isNarrow, isOpen, onToggle, onClose, onPalette, onKeys }: RailProps) {
  return (
    <>
      {isOpen ? (
        <button
          type="button"
          aria-label="Close navigation"
          onClick={onClose}
          className="fixed inset-0 z-20 bg-canvas/80 md:hidden"
        />
      ) : null}
      <nav
        aria-label="Console"
        className={classNames(
          "z-30 shrink-0 flex-col border-hairline border-r bg-surface md:static md:flex",
          isOpen ? "fixed inset-y-0 left-0 flex w-55" : "hidden",
          isNarrow ? "md:w-14" : "md:w-55",
        )}
      >
        <div className="flex h-11 items-center justify-between gap-1 pr-2 pl-3.5">
          <span className={classNames("font-semibold text-lg", isNarrow && "md:hidden")}>
            Tracon
          </span>
          <span className="hidden md:block">
            <IconButton
              icon={isNarrow ? PanelLeftOpen : PanelLeftClose}
              label={isNarrow ? "Widen navigation" : "Collapse navigation"}
              onClick={onToggle}
            />
          </span>
        </div>
        <div className="px-2 pb-2">
          <button
            type="button"
            onClick={onPalette}
            className={classNames(CONTROL, "flex w-full items-center gap-2 text-muted")}
          >
            <Search aria-hidden className="size-4 shrink-0" />
            <span className={classNames(isNarrow && "md:sr-only")}>Search</span>
            <kbd
              className={classNames(
                "ml-auto font-sans text-faint text-sm",
                isNarrow && "md:hidden",
              )}
            >
              Ctrl K
            </kbd>
          </button>
        </div>
        {navigation.map(({ group, destinations }) => (
          <div key={group} className="px-2 pb-2">
            <h2
              className={classNames(
                "px-1.5 pt-1 pb-0.5 text-faint text-sm",
                isNarrow && "md:sr-only",
              )}
            >
              {group}
            </h2>
            <ul>
              {destinations.map((it) => (
                <RailLink key={it.to} destination={it} isNarrow={isNarrow} onClick={onClose} />
              ))}
            </ul>
          </div>
        ))}
        <RailFoot isNarrow={isNarrow} onKeys={onKeys} />
      </nav>
    </>
  );
}

function RailLink(props: {
  readonly destination: Destination;
  readonly isNarrow: boolean;
  readonly onClick: () => void;
}) {
  const { to, title, icon: Icon } = props.destination;
  const link = (
    <Link
      to={to}
      onClick={props.onClick}
      activeOptions={{ includeSearch: false, exact: to === "/" }}
      className="relative flex h-8 items-center gap-2 rounded-md px-2 text-muted hover:bg-raised hover:text-ink data-[status=active]:bg-accent-soft data-[status=active]:text-ink"
    >
      <Icon aria-hidden className="size-4 shrink-0" />
      <span className={classNames(props.isNarrow && "md:sr-only")}>{title}</span>
      {to === "/approvals" ? <WaitingBadge isNarrow={props.isNarrow} /> : null}
    </Link>
  );
  return (
    <li>
      {props.isNarrow ? (
        <Hint text={title} side="right">
          {link}
        </Hint>
      ) : (
        link
      )}
    </li>
  );
}

function RailFoot(props: { readonly isNarrow: boolean; readonly onKeys: () => void }) {
  const { api } = useServices();
  const { data: meta } = useQuery(metaQuery(api));
  return (
    <div className="mt-auto flex flex-col gap-2 border-hairline border-t p-2">
      <div className={classNames("flex items-center gap-1", props.isNarrow && "md:flex-col")}>
        <ThemeChoice isNarrow={props.isNarrow} />
        <IconButton icon={Keyboard} label="Show keys" onClick={props.onKeys} />
      </div>
      {meta === undefined ? null : (
        <p className={classNames("px-1 text-faint text-sm", props.isNarrow && "md:sr-only")}>
          Storage: {meta.storage.persistent ? meta.storage.runStore : "memory, lost on restart"}
          <br />
          Version {meta.version}
        </p>
      )}
    </div>
  );
}
