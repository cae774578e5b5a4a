import type { ProviderPreset } from "../preset.ts";
import { anthropic } from "./anthropic.ts";
import { azureOpenai } from "./azure-openai.ts";
import { google } from "./google.ts";
import { openai } from "./openai.ts";
import { openaiCompatible } from "./openai-compatible.ts";
import { scripted } from "./scripted.ts";

export { anthropic, azureOpenai, google, openai, openaiCompatible, scripted };

/** Every kind of provider that configuration can name. */
export const providerPresets: readonly ProviderPreset[] = [
  openai,
  openaiCompatible,
  anthropic,
  google,
  azureOpenai,
  scripted,
];
