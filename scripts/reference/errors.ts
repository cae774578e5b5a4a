import { errorCodes } from "@tracon/core";
import { code, table } from "./table.ts";

export function errorsPage(statuses: Readonly<Record<string, number>>): string {
  const rows = Object.entries(errorCodes).map(([name, meaning]) => [
    code(name),
    String(statuses[name]),
    meaning,
  ]);

  return `# Error codes

An operation that cannot be done throws a \`TraconError\` with one of these codes. Over HTTP it
answers \`application/problem+json\` with the same \`code\` and the status below.

${table(["Code", "Status", "Meaning"], rows)}
`;
}
