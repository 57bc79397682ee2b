import { ChatAnthropic } from "@langchain/anthropic";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";

/** Anthropic's messages API, at its own address or a compatible one. */
export function createAnthropicModel(options: { model: string; apiKey: string; baseUrl: string }): BaseChatModel {
  return new ChatAnthropic({
    model: options.model,
    apiKey: options.apiKey,
    anthropicApiUrl: options.baseUrl,
    maxRetries: 0,
    streamUsage: true,
    clientOptions: { logLevel: "off" },
  });
}
