import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { Language } from "../core/conversation.ts";
import { resolveOllamaUrl } from "./find-ollama-model.ts";
import type { ModelReference } from "./model-reference.ts";
import type { OfflinePhrases } from "./offline/phrases.ts";

export interface ModelCredentials {
  readonly openai?: { readonly apiKey?: string | undefined; readonly baseUrl?: string | undefined } | undefined;
  readonly anthropic?: { readonly apiKey: string; readonly baseUrl?: string | undefined } | undefined;
  /** OLLAMA_HOST as written; undefined = 127.0.0.1:11434. */
  readonly ollamaHost?: string | undefined;
}

/** A loaded model. Only the offline one asks for the language; a real model sees it in the prompt. */
export type LoadedModel = (language: Language) => BaseChatModel;

/**
 * Imports a provider's package on first use: each costs about a second and 80 MB, and most installations need one or
 * none. The base URL is always given, so that the packages do not take it from the environment themselves.
 */
export async function loadChatModel(
  model: ModelReference,
  credentials: ModelCredentials,
  phrases: () => OfflinePhrases,
): Promise<LoadedModel> {
  switch (model.provider) {
    case "openai": {
      const { createOpenAIModel } = await import("./providers/openai.ts");
      const chatModel = createOpenAIModel({
        model: model.name,
        apiKey: credentials.openai?.apiKey ?? "none",
        baseUrl: credentials.openai?.baseUrl ?? "https://api.openai.com/v1",
      });
      return () => chatModel;
    }
    case "ollama": {
      const { createOpenAIModel } = await import("./providers/openai.ts");
      const baseUrl = `${resolveOllamaUrl(credentials.ollamaHost)}/v1`;
      const chatModel = createOpenAIModel({ model: model.name, apiKey: "ollama", baseUrl });
      return () => chatModel;
    }
    case "anthropic": {
      const { createAnthropicModel } = await import("./providers/anthropic.ts");
      const chatModel = createAnthropicModel({
        model: model.name,
        apiKey: credentials.anthropic?.apiKey ?? "none",
        baseUrl: credentials.anthropic?.baseUrl ?? "https://api.anthropic.com",
      });
      return () => chatModel;
    }
    case "offline": {
      const { OfflineModel } = await import("./offline/offline-model.ts");
      return (language) => new OfflineModel({ phrases: phrases(), language });
    }
  }
}
