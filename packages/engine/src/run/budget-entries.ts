/** What a run changes of its tree's budget, between two of its entries in the journal. */

import type {
  BudgetChange,
  BudgetRefusal,
  BudgetReservation,
  BudgetSettlement,
} from "@tracon/core";
import type { BudgetJournal, ReservationOutcome } from "../budget/run-budget.ts";
import type { TreeSettings } from "../budget/tree-settings.ts";

export type BudgetEntriesOptions = {
  readonly rootRunId: string;
  readonly timestamp: () => string;
  /** Asks for an entry of the run. */
  readonly request: (isUrgent: boolean) => void;
};

type Waiter = { readonly id: string; readonly resolve: (outcome: ReservationOutcome) => void };

export class BudgetEntries implements BudgetJournal {
  readonly #options: BudgetEntriesOptions;
  #opened: BudgetChange["opened"];
  #settlements: BudgetSettlement[] = [];
  #reservations: BudgetReservation[] = [];
  #waiting: Waiter[] = [];
  #taken: readonly Waiter[] = [];
  #takenChange: BudgetChange | undefined;
  #isRecording = true;

  constructor(options: BudgetEntriesOptions) {
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#settlements.length === 0 && this.#reservations.length === 0;
  }

  open({ currency, limits }: TreeSettings): void {
    this.#opened = { currency, limits };
  }

  reserve(
    reservation: BudgetReservation,
    isWaitedFor: boolean,
  ): Promise<ReservationOutcome> | ReservationOutcome {
    if (!this.#isRecording) return "unrecorded";
    this.#reservations.push(reservation);
    this.#options.request(isWaitedFor);
    return new Promise((resolve) => this.#waiting.push({ id: reservation.id, resolve }));
  }

  hurry(): void {
    if (!this.isEmpty) this.#options.request(true);
  }

  settle(settlement: BudgetSettlement): void {
    if (!this.#isRecording) return;
    // What was not written yet need not be: nothing was spent of it.
    const unwritten = this.#reservations.findIndex(({ id }) => id === settlement.reservationId);
    if (unwritten !== -1 && settlement.tokens === 0) {
      this.#reservations.splice(unwritten, 1);
      const [waiter] = this.#waiting.splice(unwritten, 1);
      waiter?.resolve("granted");
      return;
    }
    this.#settlements.push(settlement);
    this.#options.request(false);
  }

  /** Everything since the entry before. */
  take(): BudgetChange | undefined {
    if (this.#opened === undefined && this.isEmpty) return undefined;
    const { rootRunId, timestamp } = this.#options;
    const change: BudgetChange = {
      rootRunId,
      at: timestamp(),
      ...(this.#opened === undefined ? {} : { opened: this.#opened }),
      settlements: this.#settlements,
      reservations: this.#reservations,
    };
    this.#opened = undefined;
    this.#settlements = [];
    this.#reservations = [];
    this.#taken = this.#waiting;
    this.#takenChange = change;
    this.#waiting = [];
    return change;
  }

  /** The entry just taken was refused alone, and its run writes another one. */
  takeBack(): void {
    const change = this.#takenChange;
    if (change === undefined) return;
    this.#opened ??= change.opened;
    this.#settlements = [...change.settlements, ...this.#settlements];
    this.#reservations = [...change.reservations, ...this.#reservations];
    this.#waiting = [...this.#taken, ...this.#waiting];
    this.#taken = [];
    this.#takenChange = undefined;
  }

  /** The entry just taken is on disk, but for what was refused. */
  committed(refusals: readonly BudgetRefusal[]): void {
    for (const { id, resolve } of this.#taken) {
      resolve(refusals.find((it) => it.reservationId === id)?.limit ?? "granted");
    }
    this.#taken = [];
    this.#takenChange = undefined;
  }

  /** Nothing more of the run is written. */
  stopRecording(): void {
    this.#isRecording = false;
    for (const { resolve } of [...this.#taken, ...this.#waiting]) resolve("unrecorded");
    this.#taken = [];
    this.#waiting = [];
    this.#settlements = [];
    this.#reservations = [];
  }
}
