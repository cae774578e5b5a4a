/**
 * Progress of the scripts. It goes to standard error, so that standard output carries nothing but
 * what the command itself prints.
 */

const HEARTBEAT_MS = 10_000;

/** @param {string} text */
export function say(text) {
  process.stderr.write(`tracon: ${text}\n`);
}

/**
 * Says what is happening, that it still is, and how long it took.
 *
 * @template Result
 * @param {string} doing
 * @param {() => Promise<Result>} work
 * @returns {Promise<Result>}
 */
export async function step(doing, work) {
  const startedAt = Date.now();
  const seconds = () => `${((Date.now() - startedAt) / 1_000).toFixed(1)} s`;
  say(`${doing} …`);
  const heartbeat = setInterval(() => say(`${doing} … ${seconds()}`), HEARTBEAT_MS);

  try {
    const result = await work();
    say(`${doing}: took ${seconds()}`);
    return result;
  } finally {
    clearInterval(heartbeat);
  }
}
