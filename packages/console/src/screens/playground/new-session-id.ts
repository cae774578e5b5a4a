/** Enough that nobody meets the same; short enough to be read whole. */
const BYTES = 10;

/** An id nobody else picks. `crypto.randomUUID` is missing on pages served without TLS. */
export const newSessionId = (random: Pick<Crypto, "getRandomValues">): string =>
  `play-${Array.from(random.getRandomValues(new Uint8Array(BYTES)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("")}`;
