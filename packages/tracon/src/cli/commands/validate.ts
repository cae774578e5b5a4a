import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type Finding, TraconError } from "@tracon/core";
import { createTracon } from "../../create-tracon.ts";
import { type Command, configHelp, configOptions, EXIT } from "../command.ts";
import { loadConfig } from "../load-config.ts";

export const validate: Command = {
  name: "validate",
  summary: "Check the configuration, or definitions in files, without calling a model",
  usage: "[definition.json …] [options]",
  options: { ...configOptions, json: { type: "boolean" } },
  help: [
    ...configHelp,
    "    --json          print the findings as JSON",
    "",
    "Exits with 3 when anything is wrong. Storage is not touched: it checks in memory.",
  ],
  examples: ["tracon validate", "tracon validate agents/support.json --json"],
  positionals: [0, 1_000],

  async run(input, terminal) {
    const { config, env } = await loadConfig(input, terminal);
    const findings = await check(config, env, {
      cwd: terminal.cwd,
      files: input.positionals,
    });
    if (input.values.json === true) terminal.out(`${JSON.stringify({ findings })}\n`);
    else terminal.out(report(findings));
    return findings.some(({ severity }) => severity === "Error") ? EXIT.badAnswer : EXIT.ok;
  },
};

type FileFinding = Finding & { readonly file?: string };

async function check(
  config: Parameters<typeof createTracon>[0],
  env: Readonly<Record<string, string | undefined>>,
  { cwd, files }: { readonly cwd: string; readonly files: readonly string[] },
): Promise<readonly FileFinding[]> {
  try {
    const tracon = await createTracon(config, { env: { ...env, DATABASE_URL: "memory:" } });
    try {
      const findings: FileFinding[] = [];
      for (const file of files) {
        const { messages } = await tracon.agents.validate(await readJson(resolve(cwd, file)));
        findings.push(...(messages as Finding[]).map((message) => ({ ...message, file })));
      }
      return findings;
    } finally {
      await tracon.close();
    }
  } catch (error) {
    if (TraconError.is(error, "configuration_invalid") && error.details.findings !== undefined) {
      return error.details.findings;
    }
    throw error;
  }
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new TraconError("request_invalid", `'${path}' cannot be read: ${reason}`);
  }
}

function report(findings: readonly FileFinding[]): string {
  if (findings.length === 0) return "no findings\n";
  return findings
    .map(({ file, path, code, message, severity }) => {
      const place = [file, path].filter((part) => part !== undefined && part !== "").join(": ");
      return `${severity.toLowerCase()} ${place || "config"}: ${message} (${code})\n`;
    })
    .join("");
}
