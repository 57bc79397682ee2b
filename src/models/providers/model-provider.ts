import type { z } from "zod";
import type { InputKind } from "../../core/content-part.ts";
import type { ModelClient } from "../model-client.ts";

/** Credentials of requests to a provider. */
export interface ProviderCredentials {
  readonly apiKey?: string | undefined;
  /** As it was written. */
  readonly baseUrl?: string | undefined;
}

/** A provider of models, as the configuration and the models see it. */
export interface ModelProvider<Environment extends z.ZodRawShape = z.ZodRawShape> {
  readonly environment: Environment;
  /** Undefined when none of its variables is set. */
  readCredentials(values: z.output<z.ZodObject<Environment>>): ProviderCredentials | undefined;
  /** Why a model that was named cannot be asked: `needs …`. */
  whyNot?(credentials: ProviderCredentials | undefined): string | undefined;
  /** The default model when there is a key and none is named. */
  readonly defaultModel?: string;
  /** The same where no provider has a key. Never throws. */
  findModel?(credentials: ProviderCredentials | undefined): Promise<string | undefined>;
  /** The input kinds of its models, where models.yaml does not say. Default: pictures. */
  readonly inputs?: (model: string) => readonly InputKind[];
  /** How many tokens a model takes at once. Default or undefined: 32,000. */
  readonly contextTokens?: (model: string) => number | undefined;
  /** The remedy for a model that is not there. Default: check its name. */
  nameRemedy?(model: string): string;
  /** Loads the client of its wire; most installations need one or none. */
  load(model: string, credentials: ProviderCredentials): Promise<ModelClient>;
}

/** Checks a provider against its own types. */
export function defineProvider<Environment extends z.ZodRawShape>(provider: ModelProvider<Environment>): ModelProvider {
  return provider;
}
