/** What an installation finds in definitions that could not be read, besides what reading them has said. */

import type { ReadDefinitions, UnreadDefinition } from "./definition-files.ts";
import type { DefinitionTarget } from "./definition-target.ts";
import { type FileFinding, pathBelow } from "./portable-finding.ts";

/** Asks for each of them, so that an unknown tool is not learned of only after a misspelled member. */
export async function unreadFindings(
  { definitions, unread, findings }: ReadDefinitions,
  target: Pick<DefinitionTarget, "validate">,
): Promise<readonly FileFinding[]> {
  const known = new Set(findings.map(keyOf));
  const names = new Set<unknown>([
    ...definitions.map(({ content }) => content.name),
    ...unread.map(({ value }) => value.name),
  ]);
  const found: FileFinding[] = [];
  for (const { file, place, value } of unread) {
    const { messages } = await target.validate(value);
    found.push(
      ...messages
        .filter(({ path }) => !isOfTheSet(path, value, names))
        .map((it) => ({ ...it, file, path: pathBelow(place, it.path) }))
        .filter((it) => !known.has(keyOf(it))),
    );
  }
  return found;
}

const keyOf = ({ file, path, code }: FileFinding): string => JSON.stringify([file, path, code]);

/** What stands in the same files is stored first, and nobody can say yet what it will be. */
const isOfTheSet = (
  path: string,
  { sharedInstructionsName: block }: UnreadDefinition["value"],
  names: ReadonlySet<unknown>,
): boolean => path === "sharedInstructionsName" && names.has(block);
