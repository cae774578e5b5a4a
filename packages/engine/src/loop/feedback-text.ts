/** What another model writes to an agent, as it may become the agent's next input. */

import { cutText } from "../tools/cut-text.ts";

/** Longest feedback that is passed on, in UTF-16 units. */
export const MAX_FEEDBACK_LENGTH = 4_000;
const CUT_MARK = " […cut at 4,000 characters]";

/** The text, or its beginning with a mark that says it was cut. */
export const boundedFeedback = (text: string): string =>
  text.length <= MAX_FEEDBACK_LENGTH ? text : cutText(text, MAX_FEEDBACK_LENGTH) + CUT_MARK;
