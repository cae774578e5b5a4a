import type {
  LanguageModel,
  ModelDescriptor,
  ModelProvider,
  ModelProviderDescriptor,
} from "@tracon/core";

/** A model as an agent is bound to it. */
export type BoundModel = {
  readonly provider: string;
  readonly modelId: string;
  readonly model: LanguageModel;
  /** Its provider refuses a history of tool calls without the definitions of the tools. */
  readonly needsToolDefinitions: boolean;
  /** Its models go on calling tools although a response format is asked for. */
  readonly combinesToolsAndFormat: boolean;
};

export type ProviderRegistry = {
  provider(name: string): ModelProvider | undefined;
  /** The configuration's entry for a model, or `undefined`: the catalog is metadata, no allow-list. */
  listed(provider: string, model: string): ModelDescriptor | undefined;
  /** Builds a model without a network call. Throws what the provider throws. */
  bind(provider: ModelProvider, modelId: string): BoundModel;
  readonly descriptors: readonly ModelProviderDescriptor[];
};

/** Models kept built. Whoever may validate definitions can name any number of them. */
const MAX_BOUND_MODELS = 4_096;

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
        model: readModel(provider.languageModel(modelId)),
        needsToolDefinitions: provider.needsToolDefinitions ?? false,
        combinesToolsAndFormat: provider.combinesToolsAndFormat ?? false,
      };
      // Agents share one model object: 10,000 agents on one model hold one.
      bound.set(key, fresh);
      if (bound.size > MAX_BOUND_MODELS) bound.delete(firstKeyOf(bound));
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

/** Refuses what is no model of a specification that is spoken here, such as a model's name. */
function readModel(model: LanguageModel): LanguageModel {
  const version: unknown = (model as Partial<LanguageModel> | undefined)?.specificationVersion;
  if (version === "v4" || version === "v3") return model;
  throw new TypeError("it gave no model object of specification v3 or v4");
}

const firstKeyOf = (models: ReadonlyMap<string, BoundModel>): string => {
  const [key = ""] = models.keys();
  return key;
};
