/**
 * The form of text and times in columns, one for both engines, that loses nothing.
 *
 * PostgreSQL refuses U+0000 in text, and neither engine can keep half a surrogate pair. So U+0000,
 * a lone surrogate and the escape character itself are written as U+0010 and four hexadecimal
 * digits; all other text is stored as it is. Equal texts stay equal and different ones different,
 * so the form can be compared and indexed. JSON texts need none of this: they escape by themselves.
 */

const ESCAPE = "\u0010";
const NUL = "\u0000";
const UNSTORABLE = new RegExp(`${NUL}|${ESCAPE}|\\p{Surrogate}`, "gu");
const ESCAPED = new RegExp(`${ESCAPE}([0-9a-f]{4})`, "g");

/** The text as a column holds it. Costs three native scans when there is nothing to escape. */
export function storedText(text: string): string {
  if (text.isWellFormed() && !text.includes(NUL) && !text.includes(ESCAPE)) return text;
  return text.replace(
    UNSTORABLE,
    (unit) => ESCAPE + unit.charCodeAt(0).toString(16).padStart(4, "0"),
  );
}

/** The text as it was given to `storedText`. */
export function originalText(stored: string): string {
  if (!stored.includes(ESCAPE)) return stored;
  return stored.replace(ESCAPED, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}

export const storedOptional = (text: string | undefined): string | null =>
  text === undefined ? null : storedText(text);

/** Milliseconds since the epoch of an ISO 8601 time. */
export function storedTime(iso: string): number {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) throw new RangeError(`'${iso}' is not an ISO 8601 time`);
  return time;
}

const DAY_MS = 86_400_000;
const TWO_DIGITS = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, "0"));
/** Times this covers: from 1970 to the end of 9999. */
const LAST_TIME = 253_402_300_799_999;

/**
 * The ISO 8601 time of milliseconds since the epoch. Lists make two of them a row, and `toISOString`
 * alone was half the work of making a record.
 */
export function isoTime(time: number): string {
  if (time < 0 || time > LAST_TIME) return new Date(time).toISOString();
  const day = Math.floor(time / DAY_MS);
  const ms = time - day * DAY_MS;
  const hours = TWO_DIGITS[Math.floor(ms / 3_600_000)];
  const minutes = TWO_DIGITS[Math.floor(ms / 60_000) % 60];
  const seconds = TWO_DIGITS[Math.floor(ms / 1_000) % 60];
  return `${isoDate(day)}T${hours}:${minutes}:${seconds}.${String(ms % 1_000).padStart(3, "0")}Z`;
}

/**
 * The Gregorian date of a day since the epoch. It counts in eras of 400 years that begin with
 * March, so that a leap day is the last day of its year.
 */
function isoDate(day: number): string {
  const sinceEra0 = day + 719_468;
  const era = Math.floor(sinceEra0 / 146_097);
  const dayOfEra = sinceEra0 - era * 146_097;
  const leapDays =
    Math.floor(dayOfEra / 1_460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const yearDays = 365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100);
  const dayOfYear = dayOfEra - yearDays;
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const date = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1;
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${year}-${TWO_DIGITS[month]}-${TWO_DIGITS[date]}`;
}
