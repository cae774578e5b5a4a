import type {
  LanguageModel,
  ModelDescriptor,
  ModelPrice,
  ModelProvider,
  ModelProviderDescriptor,
} from "@tracon/core";

/** A model as an agent is bound to it. */
export type BoundModel = {
  readonly provider: string;
  readonly modelId: string;
  readonly model: LanguageModel;
  /** Absent when the configuration lists no price: the cost is then unknown. */
  readonly price: ModelPrice | undefined;
};

export type ProviderRegistry = {
  provider(name: string): ModelProvider | undefined;
  /** The configuration's entry for a model, or `undefined`: the catalog is metadata, no allow-list. */
  listed(provider: string, model: string): ModelDescriptor | undefined;
  /** Builds a model without a network call. Throws what the provider throws. */
  bind(provider: ModelProvider, modelId: string): BoundModel;
  readonly descriptors: readonly ModelProviderDescriptor[];
};

/** The registered providers with the models the configuration lists. */
export function createProviderRegistry(
  providers: readonly ModelProvider[],
  models: readonly ModelDescriptor[],
): ProviderRegistry {
  const byName = new Map(providers.map((provider) => [provider.name, provider]));
  const listed = new Map(models.map((model) => [`${model.provider}\n${model.model}`, model]));
  const bound = new Map<string, BoundModel>();
  const find = (provider: string, model: string) => listed.get(`${provider}\n${model}`);

  return {
    provider: (name) => byName.get(name),
    listed: find,
    bind(provider, modelId) {
      const key = `${provider.name}\n${modelId}`;
      const known = bound.get(key);
      if (known !== undefined) return known;
      const fresh: BoundModel = {
        provider: provider.name,
        modelId,
        model: provider.languageModel(modelId),
        price: find(provider.name, modelId)?.price,
      };
      // Agents share one model object: 10,000 agents on one model hold one.
      bound.set(key, fresh);
      return fresh;
    },
    descriptors: providers
      .map(({ name, kind }) => ({
        name,
        kind,
        models: models.filter((model) => model.provider === name),
      }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
}
