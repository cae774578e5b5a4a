export {
  type AiSdkProviderObject,
  type CreatedProviders,
  type CreateProvidersOptions,
  createProviders,
  type ProvidersConfig,
} from "./create-providers.ts";
export type { ProviderPreset } from "./preset.ts";
export { providerPresets } from "./presets/index.ts";
export type {
  AnthropicConfig,
  AzureOpenAiConfig,
  GoogleConfig,
  OpenAiCompatibleConfig,
  OpenAiConfig,
  ProviderConfig,
  ScriptedConfig,
} from "./provider-config.ts";
export type { ScriptConfig, ScriptedTurnConfig } from "./scripted/script.ts";
export type { Environment, EnvironmentReference, Secret } from "./secret.ts";
