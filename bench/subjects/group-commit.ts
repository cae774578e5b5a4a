/** Lets all runs of a process share the next commit; one commit is under way at a time. */

export type Commit<Row> = (rows: readonly Row[]) => void | Promise<void>;

export type GroupCommit<Row> = {
  /** Resolves once the rows are on disk. */
  durable(rows: readonly Row[]): Promise<void>;
  /** The rows leave with the next commit. */
  lazy(rows: readonly Row[]): void;
};

export function groupCommit<Row>(commit: Commit<Row>): GroupCommit<Row> {
  let rows: Row[] = [];
  let waiters: (() => void)[] = [];
  let underWay = false;

  async function flush(): Promise<void> {
    while (waiters.length > 0) {
      const [batch, woken] = [rows, waiters];
      rows = [];
      waiters = [];
      await commit(batch);
      for (const wake of woken) wake();
    }
    underWay = false;
  }

  return {
    durable(added) {
      rows.push(...added);
      const committed = new Promise<void>((resolve) => waiters.push(resolve));
      if (!underWay) {
        underWay = true;
        setImmediate(() => void flush());
      }
      return committed;
    },
    lazy(added) {
      rows.push(...added);
    },
  };
}
