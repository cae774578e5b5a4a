/**
 * How a test says which requirements it shows to hold:
 *
 *     it("stops at the ceiling", covers("loop.stops-at-ceiling"), async () => { … });
 *
 * `tests/requirements.test.ts` reads the calls from the sources, so the ids are plain strings in
 * place. What is returned are options of the test: `{ ...covers("…"), timeout: 60_000 }` adds more.
 */
export const covers = (...ids: readonly [string, ...string[]]): CoveredRequirements => ({
  meta: { requirements: ids },
});

type CoveredRequirements = { readonly meta: { readonly requirements: readonly string[] } };

declare module "vitest" {
  interface TaskMeta {
    /** Ids of the requirements the test covers. */
    requirements?: readonly string[];
  }
}
