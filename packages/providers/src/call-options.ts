import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";

/** `model`, with every call's options put through `adapt` first. */
export function withCallOptions(
  model: LanguageModelV4,
  adapt: (options: LanguageModelV4CallOptions) => LanguageModelV4CallOptions,
): LanguageModelV4 {
  return {
    specificationVersion: model.specificationVersion,
    provider: model.provider,
    modelId: model.modelId,
    get supportedUrls() {
      return model.supportedUrls;
    },
    doGenerate: (options) => model.doGenerate(adapt(options)),
    doStream: (options) => model.doStream(adapt(options)),
  };
}
