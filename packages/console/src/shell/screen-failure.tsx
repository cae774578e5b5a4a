import type { ErrorComponentProps } from "@tanstack/react-router";
import { FailureView } from "../design/state-view.tsx";
import { TitleRow } from "../design/title-row.tsx";

/** A screen that could not be drawn. */
export const ScreenFailure = ({ error, reset }: ErrorComponentProps) => (
  <>
    <TitleRow title="Something went wrong" />
    <FailureView error={error} onRetry={reset} />
  </>
);
