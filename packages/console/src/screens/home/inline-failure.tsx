import { failureOf } from "../../app/remedy.ts";

/** A part of a page that could not be read; the rest of it stands. */
export const InlineFailure = ({ error }: { readonly error: unknown }) => {
  const { detail, remedy } = failureOf(error);
  return (
    <p role="alert" className="text-muted [overflow-wrap:anywhere]">
      Could not be read: {detail}. {remedy}
    </p>
  );
};
