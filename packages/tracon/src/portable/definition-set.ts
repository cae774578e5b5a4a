/**
 * Definitions that are saved together: whether they go together, and in which order.
 *
 * An installation judges a definition by what is stored now. What a definition takes from another
 * of the set is judged here instead, by what will be stored when that one has been saved.
 */

import type { AgentDefinitionContent } from "@tracon/core";
import type { FileDefinition } from "./definition-files.ts";
import type { CatalogAgent, DefinitionTarget } from "./definition-target.ts";
import { type FileFinding, pathBelow } from "./portable-finding.ts";
import { reachable } from "./reachable.ts";

/** A name in a definition that another agent must have. */
type Reference = {
  readonly path: string;
  readonly name: string;
  /** A version cannot be pinned before it is stored. */
  readonly isPinned: boolean;
  readonly isReview: boolean;
};

/** What is to be saved, and what the installation has. */
export type DefinitionSet = {
  readonly definitions: readonly FileDefinition[];
  /** The agents of the catalog, by name. */
  readonly catalog: ReadonlyMap<string, CatalogAgent>;
  /** Agents that will be gone when the set has been saved. */
  readonly removed: ReadonlySet<string>;
};

type SetByName = ReadonlyMap<string, FileDefinition>;

/** Everything that is wrong with a set, as the installation and as the set itself sees it. */
export async function checkSet(
  set: DefinitionSet,
  target: DefinitionTarget,
): Promise<readonly FileFinding[]> {
  const byName = bySetName(set);
  const findings: FileFinding[] = [];
  for (const definition of set.definitions) {
    findings.push(
      ...readOnlyFindings(definition, set.catalog),
      ...(await findingsOfTarget(definition, set, target)),
      ...findingsOfSet(definition, byName, set.removed),
    );
  }
  return [...findings, ...ringFindings(set)];
}

/** The definitions of a set, each after those that must be there before it. */
export function inOrder(set: DefinitionSet): readonly FileDefinition[] {
  const byName = bySetName(set);
  const ordered = new Set<FileDefinition>();
  const visit = (definition: FileDefinition, path: ReadonlySet<FileDefinition>): void => {
    if (ordered.has(definition) || path.has(definition)) return;
    const longer = new Set([...path, definition]);
    for (const other of before(definition, byName, set.catalog)) visit(other, longer);
    ordered.add(definition);
  };
  for (const definition of set.definitions) visit(definition, new Set());
  return [...ordered];
}

const bySetName = ({ definitions }: DefinitionSet): SetByName =>
  new Map(definitions.map((definition) => [definition.content.name, definition]));

function readOnlyFindings(
  definition: FileDefinition,
  catalog: DefinitionSet["catalog"],
): readonly FileFinding[] {
  const agent = catalog.get(definition.content.name);
  if (agent === undefined || agent.origin === "Database") return [];
  const message = `agent '${agent.name}' comes from source '${agent.sourceName}' and cannot be changed here`;
  return [errorAt(definition, "name", { code: "agent_read_only", message })];
}

async function findingsOfTarget(
  definition: FileDefinition,
  set: DefinitionSet,
  target: DefinitionTarget,
): Promise<readonly FileFinding[]> {
  const byName = bySetName(set);
  const { name: own } = definition.content;
  const references = referencesOf(definition.content);
  const isJudgedHere = (message: ReportedMessage, reference: Reference): boolean =>
    message.code === "cycle"
      ? message.path === `${reference.path}.name` && isOpened(own, reference.name, set)
      : byName.has(reference.name) && !reference.isPinned && isAbout(message, reference);
  const others = references.filter(({ name }) => name !== own);
  const { messages } = await target.validate(definition.content);
  return messages
    .filter((message) => !others.some((reference) => isJudgedHere(message, reference)))
    .map((message) => ({
      ...message,
      file: definition.file,
      path: pathBelow(definition.place, message.path),
    }));
}

/** Codes that say what the installation has, or has not, under a name. */
const ABOUT_WHAT_IS_STORED = /^shared_instructions_invalid$|^unknown_|_(not_found|unknown)$/;

type ReportedMessage = { readonly code: string; readonly path: string };

const isAbout = ({ code, path }: ReportedMessage, reference: Reference): boolean =>
  ABOUT_WHAT_IS_STORED.test(code) && (path === reference.path || path === `${reference.path}.name`);

/** Whether a way from an agent back to its caller is there now and no longer when the set was saved. */
function isOpened(caller: string, agent: string, set: DefinitionSet): boolean {
  const byName = bySetName(set);
  const stored = (name: string) => set.catalog.get(name)?.callableAgentNames ?? [];
  const saved = (name: string) =>
    byName.get(name)?.content.callableAgents.map((callee) => callee.name) ?? stored(name);
  const isChanged = [...reachable(agent, stored)].some(
    (name) => name !== caller && byName.has(name),
  );
  return isChanged && !reachable(agent, saved).has(caller);
}

function findingsOfSet(
  definition: FileDefinition,
  byName: SetByName,
  removed: ReadonlySet<string>,
): readonly FileFinding[] {
  const findings = referencesOf(definition.content)
    .filter(({ name }) => removed.has(name))
    .map(({ path, name }) =>
      errorAt(definition, path, {
        code: "invalid_value",
        message: `agent '${name}' is to be deleted, because its file is gone`,
      }),
    );
  const blockName = definition.content.sharedInstructionsName?.normalize("NFC") ?? "";
  const block = blockName === definition.content.name ? undefined : byName.get(blockName)?.content;
  if (block?.sharedInstructionsName === undefined) return findings;
  const code = "shared_instructions_invalid";
  const message = `'${block.name}' shares the text of '${block.sharedInstructionsName}' itself; a shared block cannot refer to another`;
  return [...findings, errorAt(definition, "sharedInstructionsName", { code, message })];
}

/** Agents that need each other in a ring: no order of saving them is possible. */
function ringFindings(set: DefinitionSet): readonly FileFinding[] {
  const byName = bySetName(set);
  return set.definitions.flatMap((definition) => {
    const ring = ringOf(definition, (it) =>
      before(it, byName, set.catalog).filter((other) => !isBlockOf(it, other)),
    );
    if (ring === undefined) return [];
    const names = [...ring, definition.content.name].join(" → ");
    const message = `the agents refer to each other in a ring: ${names}`;
    return [errorAt(definition, "", { code: "cycle", message })];
  });
}

/** The shortest way from a definition back to itself, by name. */
function ringOf(
  start: FileDefinition,
  next: (definition: FileDefinition) => readonly FileDefinition[],
): readonly string[] | undefined {
  const ways = new Map<FileDefinition, readonly string[]>([[start, [start.content.name]]]);
  for (const [definition, way] of ways) {
    for (const other of next(definition)) {
      if (other === start) return way;
      if (!ways.has(other)) ways.set(other, [...way, other.content.name]);
    }
  }
  return undefined;
}

/** A block's own rule allows no ring. */
const isBlockOf = ({ content }: FileDefinition, block: FileDefinition): boolean =>
  content.sharedInstructionsName?.normalize("NFC") === block.content.name;

/**
 * What must be saved before a definition: its block, the agents it calls, also through agents that are
 * not in the set, and a reviewer that is new. Agents that are there may review each other. What refers
 * to itself is the compiler's question.
 */
const before = (
  { content }: FileDefinition,
  byName: SetByName,
  catalog: DefinitionSet["catalog"],
): readonly FileDefinition[] =>
  referencesOf(content)
    .filter(({ name, isReview }) => name !== content.name && !(isReview && catalog.has(name)))
    .flatMap(({ name }) => membersBehind(name, byName, catalog))
    .filter((other) => other.content.name !== content.name);

/** The definitions of the set that are met first on the ways that begin with an agent. */
const membersBehind = (
  start: string,
  byName: SetByName,
  catalog: DefinitionSet["catalog"],
): readonly FileDefinition[] =>
  [
    ...reachable(start, (name) =>
      byName.has(name) ? [] : (catalog.get(name)?.callableAgentNames ?? []),
    ),
  ].flatMap((name) => byName.get(name) ?? []);

function referencesOf(content: AgentDefinitionContent): readonly Reference[] {
  const { sharedInstructionsName: block, callableAgents, harness } = content;
  const references: Reference[] = [];
  const add = (path: string, name: string | undefined, how: Partial<Reference> = {}) => {
    if (name === undefined) return;
    references.push({
      path,
      name: name.normalize("NFC"),
      isPinned: false,
      isReview: false,
      ...how,
    });
  };
  add("sharedInstructionsName", block);
  for (const [index, { name, version }] of callableAgents.entries()) {
    add(`callableAgents[${index}]`, name, { isPinned: version !== undefined });
  }
  for (const [index, criterion] of (harness?.loop?.criteria ?? []).entries()) {
    add(`harness.loop.criteria[${index}].reviewerAgent`, criterion.reviewerAgent, {
      isPinned: criterion.reviewerAgentVersion !== undefined,
      isReview: true,
    });
  }
  return references;
}

const errorAt = (
  { file, place }: FileDefinition,
  path: string,
  { code, message }: { readonly code: string; readonly message: string },
): FileFinding => ({ file, path: pathBelow(place, path), code, message, severity: "Error" });
