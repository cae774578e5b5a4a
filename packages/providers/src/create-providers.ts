/**
 * From configuration to model providers.
 *
 * Everything wrong is a finding, all at once, and never holds a value that may be a secret. What
 * comes back never retries: retries belong to the caller's rings, and a second layer below them
 * would hide calls from budgets and records.
 */

import {
  type Finding,
  finding,
  findingsOf,
  type LanguageModel,
  type ModelProvider,
} from "@tracon/core";
import { resolveConnection } from "./connection.ts";
import type { ProviderPreset } from "./preset.ts";
import { providerPresets } from "./presets/index.ts";
import type { ProviderConfig } from "./provider-config.ts";
import type { Environment } from "./secret.ts";

/** A provider object of the AI SDK, used as it is. */
export type AiSdkProviderObject = { languageModel(modelId: string): LanguageModel };

/** The `providers` member of a configuration. */
export type ProvidersConfig = Readonly<Record<string, ProviderConfig | AiSdkProviderObject>>;

/** What building providers needs from outside. */
export type CreateProvidersOptions = {
  /** Where `{ env }` references are looked up. */
  readonly env: Environment;
  /** Sends every request of the presets; the global `fetch` by default. */
  readonly fetch?: typeof globalThis.fetch;
};

/** The providers that could be built, and what is wrong with the others. */
export type CreatedProviders = {
  readonly providers: readonly ModelProvider[];
  readonly findings: readonly Finding[];
};

type Built = CreatedProviders;

const PRESET_NAME = /^[a-z0-9][a-z0-9-]{0,31}$/;
/** An own object may have the name its user gave it; a dot would break `"{provider}.{setting}"`. */
const CUSTOM_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

const SPECIFICATIONS: ReadonlySet<string | undefined> = new Set(["v3", "v4"]);

/** Builds the configured providers. Makes no network call and never throws for a bad configuration. */
export async function createProviders(
  config: ProvidersConfig,
  options: CreateProvidersOptions,
): Promise<CreatedProviders> {
  if (!isRecord(config)) {
    return { providers: [], findings: [refusal("providers", "must be an object of providers")] };
  }
  const entries = Object.entries(config);
  const built = await Promise.all(entries.map(([name, value]) => buildEntry(name, value, options)));
  return withoutDuplicates(
    entries.map(([name]) => name),
    built,
  );
}

async function buildEntry(
  name: string,
  value: unknown,
  options: CreateProvidersOptions,
): Promise<Built> {
  const path = `providers.${name}`;
  if (isAiSdkProvider(value)) {
    return CUSTOM_NAME.test(name)
      ? { providers: [customProvider(name, value)], findings: [] }
      : refused(refusal(path, "the name must be letters, digits, '-' and '_', at most 64"));
  }
  if (!isRecord(value)) {
    return refused(refusal(path, "must be an object with a kind, or a provider of the AI SDK"));
  }
  const preset = providerPresets.find((it) => it.kind === value.kind);
  if (preset === undefined) {
    const kinds = providerPresets.map((it) => it.kind).join(", ");
    const code = value.kind === undefined ? "member_missing" : "invalid_value";
    return refused(finding(code, `${path}.kind`, `must be one of ${kinds}`));
  }
  return buildPreset(preset, name, value, options);
}

async function buildPreset(
  preset: ProviderPreset,
  name: string,
  value: unknown,
  { env, fetch = globalThis.fetch }: CreateProvidersOptions,
): Promise<Built> {
  const findings: Finding[] = [];
  const nameRefusal = PRESET_NAME.test(name)
    ? preset.refuseName?.(name)
    : "the name must be lower-case letters, digits and '-', at most 32";
  if (nameRefusal !== undefined) findings.push(refusal(`providers.${name}`, nameRefusal));

  // Findings tell a missing member from a wrong one by the input, which zod leaves out otherwise.
  const parsed = preset.options.safeParse(value, { reportInput: true });
  if (!parsed.success) {
    return refused(...findings, ...findingsOf(parsed.error, ["providers", name]));
  }
  const resolved = resolveConnection(name, parsed.data as object, env);
  findings.push(...resolved.findings);
  if (findings.length > 0) return refused(...findings);

  const { connection } = resolved;
  const providers = await preset.load({ name, options: parsed.data, connection, fetch });
  return { providers, findings: [] };
}

const customProvider = (name: string, value: AiSdkProviderObject): ModelProvider => ({
  name,
  kind: "custom",
  optionsKey: name,
  languageModel(modelId) {
    const model = value.languageModel(modelId);
    if (SPECIFICATIONS.has(model?.specificationVersion)) return model;
    throw new Error(
      `provider '${name}' must give models of the AI SDK's provider specification v3 or v4`,
    );
  },
});

/** One entry can register two names, so that two entries can meet in one. */
function withoutDuplicates(names: readonly string[], built: readonly Built[]): CreatedProviders {
  const byName = new Map<string, ModelProvider>();
  const findings = built.flatMap((it) => it.findings);
  for (const [index, { providers }] of built.entries()) {
    for (const provider of providers) {
      if (byName.has(provider.name)) {
        const message = `the name '${provider.name}' is registered twice`;
        findings.push(finding("duplicate_name", `providers.${names[index]}`, message));
      } else {
        byName.set(provider.name, provider);
      }
    }
  }
  return { providers: [...byName.values()], findings };
}

/** SDK providers are mostly functions with members. */
function isAiSdkProvider(value: unknown): value is AiSdkProviderObject {
  if (value === null || (typeof value !== "object" && typeof value !== "function")) return false;
  return "languageModel" in value && typeof value.languageModel === "function";
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === "object" && !Array.isArray(value);

const refusal = (path: string, message: string): Finding => finding("invalid_value", path, message);

const refused = (...findings: readonly Finding[]): Built => ({ providers: [], findings });
