/**
 * One setup at a time in a working tree. The lock is a file that holds its owner's process id; a
 * lock whose owner is gone is taken over, so that a killed setup blocks nobody.
 */

import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { inRepository } from "./repository.mjs";
import { say } from "./say.mjs";

const LOCK = inRepository(".tracon/setup.lock");
const POLL_MS = 250;
/** Long enough for every process that saw the same dead owner to have written its own id. */
const TAKEOVER_SETTLE_MS = 200;

/**
 * @template Result
 * @param {() => Promise<Result>} work
 * @returns {Promise<Result>}
 */
export async function exclusively(work) {
  mkdirSync(inRepository(".tracon"), { recursive: true });
  await acquire();
  process.once("exit", release);
  try {
    return await work();
  } finally {
    process.off("exit", release);
    release();
  }
}

async function acquire() {
  let saidSo = false;
  while (!create()) {
    const owner = readOwner();
    if (owner !== undefined && !isAlive(owner) && (await takeOver())) return;
    if (owner !== undefined && !saidSo) {
      say(`process ${owner} is setting up this working tree; waiting …`);
      saidSo = true;
    }
    await sleep(POLL_MS);
  }
}

function create() {
  try {
    writeFileSync(LOCK, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (isCode(error, "EEXIST")) return false;
    throw error;
  }
}

/** The last of several processes to write its id keeps the lock; the others see another id. */
async function takeOver() {
  const claim = `${LOCK}.${process.pid}`;
  writeFileSync(claim, String(process.pid));
  renameSync(claim, LOCK);
  await sleep(TAKEOVER_SETTLE_MS);
  return readOwner() === process.pid;
}

/** `undefined` once the lock is gone or not written to the end yet. */
function readOwner() {
  try {
    const text = readFileSync(LOCK, "utf8");
    return text === "" ? undefined : Number(text);
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** @param {number} processId */
function isAlive(processId) {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return isCode(error, "EPERM");
  }
}

function release() {
  if (readOwner() === process.pid) rmSync(LOCK, { force: true });
}

/**
 * @param {unknown} error
 * @param {string} code
 */
const isCode = (error, code) => error instanceof Error && "code" in error && error.code === code;
