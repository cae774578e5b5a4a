import { fileURLToPath } from "node:url";

/** Absolute path of the repository, without a slash at its end. */
export const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

/** @param {string} path relative to the repository */
export const inRepository = (path) => `${root}/${path}`;
