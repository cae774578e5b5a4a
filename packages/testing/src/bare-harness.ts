/** Settings of a harness that adds nothing by itself: no tools, no texts. */
export const BARE_HARNESS = {
  disableCompaction: true,
  disableTodoProvider: true,
  disableAgentModeProvider: true,
  harnessInstructions: "",
} as const;
