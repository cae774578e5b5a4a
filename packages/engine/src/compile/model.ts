/** The model section: provider, model, sampling, vendor settings. */

import type { JSONObject, SharedV4ProviderOptions } from "@ai-sdk/provider";
import {
  type Finding,
  finding,
  findingsOf,
  type ModelBinding,
  type ModelProvider,
} from "@tracon/core";
import type { BoundModel, ProviderRegistry } from "../model/provider-registry.ts";
import type { TurnCallOptions } from "../turn/step.ts";

/** Efforts the provider specification knows. */
const REASONING_EFFORTS = [
  "provider-default",
  "none",
  "minimal",
  "low",
  "medium",
  "high",
  "xhigh",
  "max",
] as const;
type ReasoningEffort = (typeof REASONING_EFFORTS)[number];

export type CompiledModel = {
  readonly bound: BoundModel;
  readonly options: Omit<TurnCallOptions, "tools">;
};

/** Compiles the binding; pushes what is wrong with it and then returns `undefined`. */
export function compileModel(
  binding: ModelBinding,
  providers: ProviderRegistry,
  findings: Finding[],
): CompiledModel | undefined {
  const effort = reasoningEffort(binding, findings);
  const provider = findProvider(binding, "model", providers, findings);
  if (provider === undefined) return undefined;
  const providerOptions = providerSettings(binding, provider, findings);
  const bound = bind(provider, binding, { path: "model", providers, findings });
  if (bound === undefined) return undefined;
  if (effort !== undefined && bound.model.specificationVersion === "v3") {
    findings.push(finding("invalid_value", "model.reasoningEffort", V3_EFFORT));
  }
  const { temperature, maxOutputTokens, topP } = binding;
  return {
    bound,
    options: {
      ...(temperature === undefined ? {} : { temperature }),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
      ...(topP === undefined ? {} : { topP }),
      ...(effort === undefined ? {} : { reasoning: effort }),
      ...(providerOptions === undefined ? {} : { providerOptions }),
    },
  };
}

function reasoningEffort(binding: ModelBinding, findings: Finding[]): ReasoningEffort | undefined {
  const asked = binding.reasoningEffort?.toLowerCase();
  if (asked === undefined) return undefined;
  const known = REASONING_EFFORTS.find((effort) => effort === asked);
  if (known === undefined) {
    findings.push(
      finding(
        "invalid_value",
        "model.reasoningEffort",
        `use one of ${REASONING_EFFORTS.join(", ")}`,
      ),
    );
  }
  return known;
}

const V3_EFFORT =
  "models of this provider are of specification v3, which has no such member; use one of the provider's own settings";

/** The models to try in the place of the first, in order. Nothing but the two names carries over. */
export function compileFallbacks(
  { provider, model, fallbacks }: ModelBinding,
  providers: ProviderRegistry,
  findings: Finding[],
): readonly BoundModel[] {
  const seen = new Set([`${provider}\n${model}`]);
  return fallbacks.flatMap((fallback, index) => {
    const path = `model.fallbacks[${index}]`;
    const key = `${fallback.provider}\n${fallback.model}`;
    if (seen.has(key)) {
      const message = `model '${fallback.model}' of '${fallback.provider}' is tried already`;
      findings.push(finding("duplicate_name", path, message));
    }
    seen.add(key);
    const found = findProvider(fallback, path, providers, findings);
    return (found && bind(found, fallback, { path, providers, findings })) ?? [];
  });
}

type ModelNames = Pick<ModelBinding, "provider" | "model">;

function findProvider(
  { provider: name }: ModelNames,
  path: string,
  providers: ProviderRegistry,
  findings: Finding[],
): ModelProvider | undefined {
  const provider = providers.provider(name);
  if (provider !== undefined) return provider;
  const known = providers.descriptors.map((it) => `'${it.name}'`).join(", ") || "none";
  const message = `there is no provider '${name}'; registered: ${known}`;
  findings.push(finding("unknown_provider", `${path}.provider`, message));
  return undefined;
}

type BindContext = {
  readonly path: string;
  readonly providers: ProviderRegistry;
  readonly findings: Finding[];
};

function bind(
  provider: ModelProvider,
  { model }: ModelNames,
  { path, providers, findings }: BindContext,
): BoundModel | undefined {
  try {
    return providers.bind(provider, model);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "refused";
    const message = `provider '${provider.name}' has no model '${model}': ${reason}`;
    findings.push(finding("model_unavailable", `${path}.model`, message));
    return undefined;
  }
}

function providerSettings(
  binding: ModelBinding,
  provider: ModelProvider,
  findings: Finding[],
): SharedV4ProviderOptions | undefined {
  const entries = Object.entries(binding.providerSettings);
  if (entries.length === 0) return undefined;
  const options: JSONObject = {};
  for (const [key, value] of entries) {
    const read = readSetting(provider, key, value);
    if ("code" in read) findings.push(read);
    else if (!setAt(options, read.target, read.value)) {
      const message = "the setting contradicts another one or reaches into no object";
      findings.push(finding("provider_setting_invalid", settingPath(key), message));
    }
  }
  return { [provider.optionsKey]: options };
}

type Setting = { readonly target: readonly string[]; readonly value: unknown };

function readSetting(provider: ModelProvider, key: string, value: unknown): Setting | Finding {
  const path = settingPath(key);
  const prefix = `${provider.name}.`;
  const name = key.startsWith(prefix) ? key.slice(prefix.length) : undefined;
  const { settings } = provider;
  if (
    name === undefined ||
    name === "" ||
    (settings !== undefined && !Object.hasOwn(settings, name))
  ) {
    return finding("provider_setting_unknown", path, knownSettings(provider));
  }
  const setting = settings?.[name];
  if (setting === undefined) return { target: name.split("."), value };
  const read = setting.schema.safeParse(value, { reportInput: true });
  if (read.success) return { target: setting.target, value: read.data };
  const problems = findingsOf(read.error).map(({ message }) => message);
  return finding("provider_setting_invalid", path, problems.join("; "));
}

const settingPath = (key: string): string => `model.providerSettings["${key}"]`;

function knownSettings({ name, settings }: ModelProvider): string {
  const known = settings === undefined ? ["…"] : Object.keys(settings);
  if (known.length === 0) return `provider '${name}' knows no settings`;
  return `provider '${name}' knows ${known.map((key) => `${name}.${key}`).join(", ")}`;
}

/** Sets a value below own members only, so that no name reaches a prototype. False when it cannot. */
function setAt(target: JSONObject, path: readonly string[], value: unknown): boolean {
  const [head = "", ...rest] = path;
  if (head === "" || head === "__proto__") return false;
  const known = Object.hasOwn(target, head) ? target[head] : undefined;
  if (rest.length === 0) {
    if (known !== undefined) return false;
    target[head] = value as JSONObject;
    return true;
  }
  const inner = known ?? {};
  if (typeof inner !== "object" || Array.isArray(inner)) return false;
  target[head] = inner;
  return setAt(inner as JSONObject, rest, value);
}
