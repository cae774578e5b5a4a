/** Where a definition has its loop. */
export const LOOP = ["harness", "loop"] as const;
