import { createTraconClient, type TraconClientOptions } from "@tracon/client";
import { type DefinitionTarget, hasCode } from "./definition-target.ts";

/** A running server. `signal` gives up what is under way. */
export function serverTarget(
  options: Pick<TraconClientOptions, "baseUrl" | "token" | "fetch">,
  signal: AbortSignal,
): DefinitionTarget {
  const { agents } = createTraconClient(options);
  const { origin, pathname } = new URL(options.baseUrl);
  return {
    name: origin + pathname.replace(/\/+$/, ""),
    list: () => agents.list({ signal }),
    async find(agent) {
      try {
        return (await agents.get(agent, { signal })).definition ?? undefined;
      } catch (error) {
        if (hasCode(error, "agent_not_found")) return undefined;
        throw error;
      }
    },
    versions: (agent) => agents.versions(agent, { signal }),
    version: (agent, version) => agents.version(agent, version, { signal }),
    validate: (content) => agents.validate(content, { signal }),
    create: async (content) => (await agents.create(content, { signal })).version,
    save: async (content, basedOn) =>
      (await agents.save(content.name, content, { signal, basedOn })).version,
    delete: (agent, basedOn) => agents.delete(agent, { signal, basedOn }),
    close: async () => undefined,
  };
}
