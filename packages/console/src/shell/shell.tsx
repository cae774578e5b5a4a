import { Outlet, useLocation } from "@tanstack/react-router";
import { Menu } from "lucide-react";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { useServices } from "../app/services.tsx";
import { useValue } from "../app/value-store.ts";
import { IconButton } from "../design/button.tsx";
import { Toasts } from "../design/toasts.tsx";
import { isCommand, usePageKeys } from "./keys.ts";
import { Rail } from "./rail.tsx";

const Palette = lazy(() => import("./palette.tsx").then((it) => ({ default: it.Palette })));
const KeysDialog = lazy(() =>
  import("./keys-dialog.tsx").then((it) => ({ default: it.KeysDialog })),
);
const TokenPrompt = lazy(() =>
  import("./token-prompt.tsx").then((it) => ({ default: it.TokenPrompt })),
);

type Overlay = "palette" | "keys" | undefined;

const RAIL_KEY = "tracon.rail";

/** What stands around every screen. */
export function Shell() {
  const { desk } = useServices();
  const isAskingToken = useValue(desk.isAsking);
  const [overlay, setOverlay] = useState<Overlay>();
  const [isRailOpen, setRailOpen] = useState(false);
  const [isNarrow, setNarrow] = useState(() => localStorage.getItem(RAIL_KEY) === "narrow");
  const toggleRail = () => {
    localStorage.setItem(RAIL_KEY, isNarrow ? "wide" : "narrow");
    setNarrow(!isNarrow);
  };

  useFocusOnNavigation();
  usePaletteKey(() => setOverlay("palette"));
  usePageKeys((key) => {
    if (key === "?") setOverlay("keys");
    if (key === "[") toggleRail();
    if (key === "Escape") setRailOpen(false);
  });

  return (
    <div className="flex h-full">
      <SkipLink />
      <Rail
        isNarrow={isNarrow}
        isOpen={isRailOpen}
        onToggle={toggleRail}
        onClose={() => setRailOpen(false)}
        onPalette={() => setOverlay("palette")}
        onKeys={() => setOverlay("keys")}
      />
      <div className="flex min-w-0 flex-1 flex-col">
        <header className="flex h-11 shrink-0 items-center gap-2 border-hairline border-b bg-surface px-2 md:hidden">
          <IconButton icon={Menu} label="Open navigation" onClick={() => setRailOpen(true)} />
          <span className="font-semibold">Tracon</span>
        </header>
        <main
          id="main"
          tabIndex={-1}
          className="flex min-h-0 flex-1 flex-col overflow-auto outline-none"
        >
          <Outlet />
        </main>
      </div>
      <Toasts />
      <Suspense>
        {overlay === "palette" ? <Palette onClose={() => setOverlay(undefined)} /> : null}
        {overlay === "keys" ? <KeysDialog onClose={() => setOverlay(undefined)} /> : null}
        {isAskingToken ? <TokenPrompt /> : null}
      </Suspense>
    </div>
  );
}

/** A new screen takes the focus, which would be lost with the link that led to it. */
function useFocusOnNavigation(): void {
  const pathname = useLocation({ select: (location) => location.pathname });
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    document.getElementById("main")?.focus();
  }, [pathname]);
}

function usePaletteKey(open: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isCommand(event, "k")) return;
      event.preventDefault();
      open();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  });
}

/** The first stop of the Tab key. A fragment link would leave the page, whose base is the prefix. */
const SkipLink = () => (
  <button
    type="button"
    onClick={() => document.getElementById("main")?.focus()}
    className="absolute top-1 left-1 z-50 -translate-y-20 rounded-md border border-edge bg-surface px-3 py-1.5 focus:translate-y-0"
  >
    Skip to content
  </button>
);
