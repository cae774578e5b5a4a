import { Link } from "@tanstack/react-router";
import { buttonClass } from "../design/button.tsx";
import { Empty } from "../design/state-view.tsx";
import { TitleRow } from "../design/title-row.tsx";

export const NotFound = () => (
  <>
    <TitleRow title="Not found" />
    <Empty
      title="There is nothing at this address"
      text="The link may be mistyped, or lead to a screen that this version does not have."
      actions={
        <Link to="/runs" className={buttonClass("primary")}>
          Go to runs
        </Link>
      }
    />
  </>
);
