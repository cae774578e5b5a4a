import type * as z from "zod";
import type {
  anthropic,
  azureOpenai,
  google,
  openai,
  openaiCompatible,
  scripted,
} from "./presets/index.ts";

/** `kind: "openai"`: registers `<name>` and `<name>-responses`. */
export type OpenAiConfig = z.input<typeof openai.options>;
/** `kind: "openai-compatible"`: a server of one's own, with or without a key. */
export type OpenAiCompatibleConfig = z.input<typeof openaiCompatible.options>;
/** `kind: "anthropic"`. */
export type AnthropicConfig = z.input<typeof anthropic.options>;
/** `kind: "google"`: the Gemini Developer API. */
export type GoogleConfig = z.input<typeof google.options>;
/** `kind: "azure-openai"`: a model is the name of a deployment. */
export type AzureOpenAiConfig = z.input<typeof azureOpenai.options>;
/** `kind: "scripted"`: answers written as data. */
export type ScriptedConfig = z.input<typeof scripted.options>;

/** The options of one configured provider, told apart by `kind`. */
export type ProviderConfig =
  | OpenAiConfig
  | OpenAiCompatibleConfig
  | AnthropicConfig
  | GoogleConfig
  | AzureOpenAiConfig
  | ScriptedConfig;
