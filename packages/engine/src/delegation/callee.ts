/** An agent that another one may call, as it was compiled. */
export type Callee = {
  readonly name: string;
  /** Absent runs the current version. */
  readonly version?: number;
  /** What the model reads to decide when to call it: of the pinned version when there is one. */
  readonly description?: string;
  /** Name of its tool, when each callee is one. */
  readonly toolName: string;
};
