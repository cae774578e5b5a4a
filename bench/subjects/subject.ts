/** What is measured, through one surface: ours, the peers, the references. */

import type { Script } from "../fixture.ts";

/** Every call runs the agent once by the script and checks the answer. */
export type Subject = {
  /** What the model does; changed between scenarios. */
  readonly script: Script;
  /** The answer as a whole. */
  run(): Promise<void>;
  /** The answer as it comes. */
  stream(): Promise<void>;
  close(): Promise<void>;
};

/** Where a subject that stores anything puts it. */
export type StorePlace = {
  readonly store: "sqlite" | "postgres" | "none";
  readonly folder: string;
  readonly postgresUrl: string;
};

/** What the module of a subject exports. */
export type SubjectModule = { open(place: StorePlace): Promise<Subject> };
