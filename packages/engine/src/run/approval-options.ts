/** How long decisions about tool calls may take. */
export type ApprovalOptions = {
  /** Time for a decision, in milliseconds. Default 24 hours. */
  readonly defaultExpirationMs: number;
  /** Whether what was not decided in time is marked without anybody asking. Default true. */
  readonly expirationEnabled: boolean;
  /** How often that is looked after, in milliseconds. Default one minute. */
  readonly scanIntervalMs: number;
  /** Approvals looked at in one go. Default 100. */
  readonly maxPerScan: number;
};
