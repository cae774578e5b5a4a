import type { Tracon } from "../tracon.ts";

/** What a newcomer reads first: where it is, and what to try. */
export async function welcome(
  tracon: Tracon,
  { url, needsToken }: { readonly url: string; readonly needsToken: boolean },
): Promise<string> {
  const [agent] = await tracon.agents.list();
  const tryIt =
    agent === undefined
      ? [
          "no agents yet: create one in the console, or name some under `agents` in the configuration",
        ]
      : [
          "try:",
          `  curl -N ${url}/api/agents/${encodeURIComponent(agent.name)}/run \\`,
          ...(needsToken ? [`    -H "authorization: Bearer $TRACON_TOKEN" \\`] : []),
          `    -H 'content-type: application/json' -d '{"message":"Where is ORD-3?"}'`,
        ];
  return [
    `listening on ${url}`,
    `console     ${url}/`,
    `reference   ${url}/docs`,
    ...tryIt,
    "",
  ].join("\n");
}
