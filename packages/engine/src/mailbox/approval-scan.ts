/** Looks after approvals every now and then, one look at a time. */
export class ApprovalScan {
  readonly #scan: () => Promise<void>;
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void> | undefined;

  constructor(scan: () => Promise<void>, intervalMs: number) {
    this.#scan = scan;
    this.#timer = setInterval(() => this.#look(), intervalMs);
    this.#timer.unref();
  }

  /** Resolves once nothing is being looked after any more. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  #look(): void {
    this.#running ??= this.#scan().finally(() => {
      this.#running = undefined;
    });
  }
}
