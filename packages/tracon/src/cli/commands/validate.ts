import { resolve } from "node:path";
import { type Finding, TraconError } from "@tracon/core";
import { createTracon } from "../../create-tracon.ts";
import { placeOf, readValues } from "../../portable/definition-files.ts";
import { pathBelow } from "../../portable/portable-finding.ts";
import type { Tracon } from "../../tracon.ts";
import { type Command, configHelp, configOptions, EXIT } from "../command.ts";
import { loadConfig } from "../load-config.ts";

export const validate: Command = {
  name: "validate",
  summary: "Check the configuration, or definitions in files, without calling a model",
  usage: "[FILE …] [options]",
  options: { ...configOptions, json: { type: "boolean" } },
  help: [
    ...configHelp,
    "    --json          print the findings as JSON",
    "",
    "Reads .json, .yaml and .yml. Exits with 3 when anything is wrong. Storage is not touched: it checks in memory.",
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
        findings.push(...(await checkFile(tracon, { cwd, file })));
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

async function checkFile(
  tracon: Tracon,
  { cwd, file }: { readonly cwd: string; readonly file: string },
): Promise<readonly FileFinding[]> {
  const values = await valuesOf(resolve(cwd, file));
  const findings: FileFinding[] = [];
  for (const [index, value] of values.entries()) {
    const { messages } = await tracon.agents.validate(value);
    const place = placeOf(index, values);
    findings.push(
      ...(messages as Finding[]).map((it) => ({ ...it, path: pathBelow(place, it.path), file })),
    );
  }
  return findings;
}

async function valuesOf(path: string): Promise<readonly unknown[]> {
  try {
    return await readValues(path);
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
