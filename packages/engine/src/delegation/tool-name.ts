/**
 * The name of the tool that calls an agent: each run of characters other than letters and digits is one
 * underscore. Letters and digits are those of every script, so that two names in another script do not
 * both become a row of underscores; a name that providers refuse is the compiler's finding.
 */
export const toolNameOf = (agentName: string): string =>
  agentName.replace(/[^\p{L}\p{Nd}]+/gu, "_");
