import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { Language } from "../core/conversation.ts";
import { modelProviders, type ModelCredentials } from "./model-providers.ts";
import type { ModelReference } from "./model-reference.ts";
import type { OfflinePhrases } from "./offline/phrases.ts";

/** A loaded model. Only the offline one asks for the language; a real model sees it in the prompt. */
export type LoadedModel = (language: Language) => BaseChatModel;

/** Imports what the model needs on first use. */
export async function loadChatModel(
  model: ModelReference,
  credentials: ModelCredentials,
  phrases: () => OfflinePhrases,
): Promise<LoadedModel> {
  if (model.provider === "offline") {
    const { OfflineModel } = await import("./offline/offline-model.ts");
    return (language) => new OfflineModel({ phrases: phrases(), language });
  }
  const chatModel = await modelProviders[model.provider].load(model.name, credentials[model.provider] ?? {});
  return () => chatModel;
}
