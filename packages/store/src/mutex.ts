/** Lets one holder in at a time, in the order of asking. */
export type Mutex = {
  /** Resolves to the function that lets the next one in. */
  acquire(): Promise<() => void>;
  run<Result>(work: () => Promise<Result>): Promise<Result>;
};

export function createMutex(): Mutex {
  let last: Promise<void> = Promise.resolve();

  async function acquire(): Promise<() => void> {
    const previous = last;
    const { promise, resolve } = Promise.withResolvers<void>();
    last = promise;
    await previous;
    return resolve;
  }

  return {
    acquire,
    async run(work) {
      const release = await acquire();
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}
