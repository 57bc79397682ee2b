import { textVariable } from "../../core/variable-schemas.ts";
import { findOllamaModel, resolveOllamaUrl } from "./find-ollama-model.ts";
import { defineProvider } from "./model-provider.ts";

/** An Ollama server; without OLLAMA_HOST the one of this machine. */
export const ollama = defineProvider({
  environment: {
    OLLAMA_HOST: textVariable
      .optional()
      .describe("Address of Ollama, such as http://gpu:11434. Default: `127.0.0.1:11434`."),
  },
  readCredentials: ({ OLLAMA_HOST: baseUrl }) => (baseUrl === undefined ? undefined : { baseUrl }),
  findModel: (credentials) => findOllamaModel(credentials?.baseUrl),
  nameRemedy: (model) => `run: ollama pull ${model}`,
  // A model that only reads fails on a picture instead of refusing it.
  inputs: (model) =>
    /vl\b|vision|llava|gemma3|gemma4|minicpm-v|pixtral|moondream|llama4|mistral-small3|omni/i.test(model)
      ? ["image"]
      : [],
  // The server's own default, even when the model could take more: it cuts off the beginning silently.
  contextTokens: () => 4_096,
  async load(model, { baseUrl }) {
    const { createChatCompletions } = await import("../wire/chat-completions.ts");
    return createChatCompletions({ model, apiKey: "ollama", baseUrl: `${resolveOllamaUrl(baseUrl)}/v1` });
  },
});
