import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { z } from "zod";
import type { InputKind, InputPart } from "../../core/content-part.ts";

/** Credentials of requests to a provider. */
export interface ProviderCredentials {
  readonly apiKey?: string | undefined;
  /** As it was written. */
  readonly baseUrl?: string | undefined;
}

/** Who serves models, as the configuration and the models see it. */
export interface ModelProvider<Environment extends z.ZodRawShape = z.ZodRawShape> {
  readonly environment: Environment;
  /** undefined = nothing of it is set. */
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
  /** Its servers keep only the beginnings of requests that are marked. */
  readonly marksPrefix?: boolean;
  /** A part as its client wants it. Default: as OpenAI's chat completions do. */
  readonly writePart?: (part: InputPart) => Readonly<Record<string, unknown>> & { readonly type: string };
  /** The remedy for a model that is not there. Default: check its name. */
  nameRemedy?(model: string): string;
  /**
   * Imports the provider's package: each costs about a second and 80 MB, and most installations need one or none. The base
   * URL is always given, so that the packages do not take it from the environment themselves.
   */
  load(model: string, credentials: ProviderCredentials): Promise<BaseChatModel>;
}

/** Checks a provider against its own types. */
export function defineProvider<Environment extends z.ZodRawShape>(provider: ModelProvider<Environment>): ModelProvider {
  return provider;
}
