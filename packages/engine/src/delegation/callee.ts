/** An agent that another one may call, as the caller's definition and the catalog say together. */
export type Callee = {
  readonly name: string;
  /** As it is pinned; absent runs the version that is current at each call. */
  readonly version?: number;
  /** What the calling model reads to decide when to call it. */
  readonly description?: string;
  /** Of the tool that calls it, where each agent is one. */
  readonly toolName: string;
};
