import { say } from "./say.mjs";

/** Something the reader of the message can put right. It is printed without a stack. */
export class SetupFailure extends Error {}

/**
 * Runs a script's body; its exit code is the body's answer.
 *
 * @param {() => Promise<number>} body
 */
export async function main(body) {
  try {
    process.exitCode = await body();
  } catch (error) {
    if (!(error instanceof SetupFailure)) throw error;
    say(error.message);
    process.exitCode = 1;
  }
}
