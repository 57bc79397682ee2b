import type { BaseChatModel } from "@langchain/core/language_models/chat_models";

/**
 * Any server that speaks OpenAI's chat completions. The completions class is used directly because `ChatOpenAI`
 * switches to the Responses API for some model names, which compatible servers do not have.
 */
export async function loadChatCompletions(options: {
  readonly model: string;
  readonly apiKey: string;
  readonly baseUrl: string;
}): Promise<BaseChatModel> {
  const { ChatOpenAICompletions } = await import("@langchain/openai");
  return new ChatOpenAICompletions({
    model: options.model,
    apiKey: options.apiKey,
    maxRetries: 0,
    streamUsage: true,
    // logLevel: the client would print broken pieces of an answer to the terminal.
    configuration: { baseURL: options.baseUrl, logLevel: "off" },
  });
}
