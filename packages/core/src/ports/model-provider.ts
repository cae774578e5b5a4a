import type { LanguageModelV3, LanguageModelV4 } from "@ai-sdk/provider";
import type * as z from "zod";

/** A model of the AI SDK's provider specification; older V3 objects work unchanged. */
export type LanguageModel = LanguageModelV4 | LanguageModelV3;

/** A vendor setting a definition may give under `model.providerSettings`. */
export type ProviderSetting = {
  readonly schema: z.ZodType;
  /** Where the value goes in the call's provider options: `["thinking", "budgetTokens"]`. */
  readonly target: readonly string[];
};

/** A registered provider: a name and a way to get a model. Never retries by itself. */
export type ModelProvider = {
  readonly name: string;
  /** `openai`, `openai-responses`, `openai-compatible`, `anthropic`, `google`, `azure-openai`, `scripted`, `custom`. */
  readonly kind: string;
  /** Key of the provider options its models read, such as `openai`. */
  readonly optionsKey: string;
  /** Known settings without the `"{provider}."` prefix; `undefined` accepts any (an own provider object). */
  readonly settings?: Readonly<Record<string, ProviderSetting>>;
  /**
   * The vendor refuses a history of tool calls in a request that defines no tools. The last call of a
   * tool loop, which must be an answer, then keeps its tools with the tool choice `none`; otherwise it
   * offers none. Default false.
   */
  readonly needsToolDefinitions?: boolean;
  /**
   * Its models go on calling tools although the request also asks for a response format. Otherwise the
   * format is asked for once the tools are done, in a call of its own. Default false.
   */
  readonly combinesToolsAndFormat?: boolean;
  /** Builds a model without any network call. Throws when the provider cannot have it. */
  languageModel(modelId: string): LanguageModel;
};
