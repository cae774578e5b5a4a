/** More findings than this help nobody and would make the answer larger than the request. */
const MAX_FINDINGS = 200;
/** Longest text of one finding, in UTF-16 units: a key of a megabyte is not repeated in full. */
const MAX_FINDING_TEXT = 1_000;

type Texts = { readonly path: string; readonly message: string };

/** Of many findings the first, in texts of bounded length, and how many more there are. */
export function boundedFindings<Found extends Texts>(findings: readonly Found[]) {
  const shown = findings.slice(0, MAX_FINDINGS).map((it) => ({
    ...it,
    path: cut(it.path),
    message: cut(it.message),
  }));
  return { shown, omitted: findings.length - shown.length };
}

const cut = (text: string): string =>
  text.length <= MAX_FINDING_TEXT ? text : `${text.slice(0, MAX_FINDING_TEXT).toWellFormed()}…`;
