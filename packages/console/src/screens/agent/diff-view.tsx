import { type ComponentProps, lazy, Suspense } from "react";
import { Loading } from "../../design/state-view.tsx";
import type { JsonDiff } from "./json-diff.tsx";

const LazyDiff = lazy(() => import("./json-diff.tsx").then((it) => ({ default: it.JsonDiff })));

/** Two texts side by side, its code loaded when it is first shown. */
export const DiffView = (props: ComponentProps<typeof JsonDiff>) => (
  <Suspense fallback={<Loading what="differences" rows={4} />}>
    <LazyDiff {...props} />
  </Suspense>
);
