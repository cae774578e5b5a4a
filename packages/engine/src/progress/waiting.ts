/**
 * Whether an answer says that it only has to be waited for. Equal answers of that kind are what polling
 * looks like.
 *
 * A state counts where it stands alone (`Status: running`, `{"job": {"state": "queued"}}`), not in a list:
 * a to-do list with an entry in progress waits for nothing.
 */

/** Longest answer that is read as a state, in UTF-16 units; a longer one is a content. */
const MAX_STATE_LENGTH = 4_096;
/** Longest sentence that only says to wait: in a longer text the words may be anything's. */
const MAX_SENTENCE_LENGTH = 400;

const ACTIVITIES =
  "running|pending|queued|scheduled|processing|waiting|working|creating|building|deploying|installing|" +
  "starting|booting|indexing|importing|exporting|provisioning|training|uploading|downloading|updating|" +
  "compiling|converting|rendering|copying|syncing|propagating|in progress|in (?:the )?queue";

const PHRASES = new RegExp(
  [
    `\\b(?:is|are|still|currently|remains)\\s+(?:still\\s+)?(?:${ACTIVITIES})\\b`,
    `^(?:${ACTIVITIES})\\b`,
    "\\bnot yet\\b",
    "\\bnot (?:ready|finished|complete|completed|done)\\b",
    "\\bwaiting (?:for|on|until)\\b",
    "\\b(?:try|retry|check|poll|ask|come)\\b.{0,24}\\b(?:later|shortly|soon|(?:in|after) \\d+)",
    "\\brate.?limit|\\btoo many requests\\b|\\b(?:temporarily|service) unavailable\\b|\\bretry.after\\b",
  ].join("|"),
  "i",
);

const STATED = /\b(?:status|state|phase|stage)\b["']?\s*[:=]\s*["']?([\w -]+)/gi;
const STATE_MEMBER = /(?:^|[a-z_])(?:status|state|phase|stage)$/i;
const UNFINISHED_MEMBER = /^(?:is_?)?(?:done|complete|completed|finished|ready)$/i;
const BUSY_MEMBER = /^(?:is_?)?(?:building|running|pending|in_?progress|processing)$/i;
const RETRY_MEMBER = /^(?:retry_?after|retry_?in|poll_?interval)/i;

const WAITING_WORDS: ReadonlySet<string> = new Set(
  "accepted enqueued pending progress queue queued scheduled submitted throttled".split(" "),
);
/** They end like an activity and are none that ends by itself. */
const NO_ACTIVITY: ReadonlySet<string> = new Set(
  "existing failing missing nothing outstanding something string warning".split(" "),
);

export function saysItWaits(answer: string): boolean {
  const text = answer.trim();
  const value = readJson(text);
  if (value !== undefined) return !Array.isArray(value) && waitsIn(value, 0);
  if (text.length > MAX_SENTENCE_LENGTH) return false;
  if (PHRASES.test(text)) return true;
  return [...text.matchAll(STATED)].some(([, state]) => isWaitingState(state ?? ""));
}

/** A call that itself does nothing but let time pass. */
export const passesTime = (toolName: string, input: string): boolean =>
  /(?:^|[_-])(?:sleep|wait|delay|pause)(?:$|[_-])|(?:Sleep|Wait|Delay)(?:$|[A-Z])/.test(toolName) ||
  (input.length <= MAX_SENTENCE_LENGTH && /\bsleep \d/.test(input));

function readJson(text: string): object | undefined {
  if (!/^[{[]/.test(text) || text.length > MAX_STATE_LENGTH) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}

function waitsIn(value: object, depth: number): boolean {
  return Object.entries(value).some(([name, member]: [string, unknown]) => {
    if (typeof member === "string") return memberWaits(name, member);
    if (member === false) return UNFINISHED_MEMBER.test(name);
    if (member === true) return BUSY_MEMBER.test(name);
    if (typeof member === "number") return RETRY_MEMBER.test(name);
    const isGroup = member !== null && typeof member === "object" && !Array.isArray(member);
    return isGroup && depth === 0 && waitsIn(member, 1);
  });
}

const memberWaits = (name: string, member: string): boolean =>
  STATE_MEMBER.test(name)
    ? isWaitingState(member)
    : RETRY_MEMBER.test(name) || (member.length <= MAX_SENTENCE_LENGTH && PHRASES.test(member));

const isWaitingState = (state: string): boolean =>
  state
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .some((word) => WAITING_WORDS.has(word) || (/.ing$/.test(word) && !NO_ACTIVITY.has(word)));
