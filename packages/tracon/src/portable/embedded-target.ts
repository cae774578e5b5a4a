import type { Tracon } from "../tracon.ts";
import { type DefinitionTarget, hasCode } from "./definition-target.ts";

/** The installation inside this process. Closing the target closes it. */
export function embeddedTarget(tracon: Tracon, name: string): DefinitionTarget {
  const { agents } = tracon;
  return {
    name,
    list: () => agents.list(),
    async find(agent) {
      try {
        return (await agents.get(agent)).definition ?? undefined;
      } catch (error) {
        if (hasCode(error, "agent_not_found")) return undefined;
        throw error;
      }
    },
    versions: (agent) => agents.versions(agent),
    version: (agent, version) => agents.version(agent, version),
    validate: (content) => agents.validate(content),
    create: async (content) => (await agents.create(content)).definition.version,
    save: async (content, basedOn) => (await agents.save(content, { basedOn })).definition.version,
    delete: (agent, basedOn) => agents.delete(agent, { basedOn }),
    close: () => tracon.close(),
  };
}
