/** Chooses between the forms of an answer by the `Accept` header. */

type Preference = { readonly range: string; readonly quality: number };

/**
 * The media type the caller prefers. Equal quality goes to the one named outright, then to the
 * first of `offered`, which is also the answer when nothing fits: a body beats a bare refusal.
 */
export function preferredType<const Offered extends readonly [string, ...string[]]>(
  accept: string | null,
  offered: Offered,
): Offered[number] {
  if (accept === null || accept === "*/*") return offered[0];
  const preferences = accept.split(",").map(preferenceOf);
  let best: string = offered[0];
  let bestScore = 0;
  for (const type of offered) {
    const score = scoreOf(type, preferences);
    if (score > bestScore) {
      best = type;
      bestScore = score;
    }
  }
  return best;
}

const EXACT_BONUS = 0.0001;

function scoreOf(type: string, preferences: readonly Preference[]): number {
  const exact = preferences.find((it) => it.range === type);
  if (exact !== undefined) return exact.quality === 0 ? 0 : exact.quality + EXACT_BONUS;
  const family = `${type.slice(0, type.indexOf("/"))}/*`;
  const wild =
    preferences.find((it) => it.range === family) ?? preferences.find((it) => it.range === "*/*");
  return wild?.quality ?? 0;
}

function preferenceOf(part: string): Preference {
  const [range = "", ...parameters] = part.split(";").map((it) => it.trim().toLowerCase());
  const weight = parameters.find((it) => it.startsWith("q="));
  const quality = weight === undefined ? 1 : Number(weight.slice(2));
  return { range, quality: quality >= 0 && quality <= 1 ? quality : 0 };
}
