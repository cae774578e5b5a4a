import { findingCodes } from "@tracon/core";
import { code, table } from "./table.ts";

export function findingsPage(): string {
  const rows = Object.entries(findingCodes).map(([name, meaning]) => [code(name), meaning]);

  return `# Finding codes

A finding says what is wrong with a definition, a request or a configuration: \`code\`, \`path\`
(\`harness.loop.criteria[0].marker\`), \`message\` and \`severity\` (\`Error\` or \`Warning\`). Findings come
all at once.

${table(["Code", "Meaning"], rows)}
`;
}
