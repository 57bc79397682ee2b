import { dropUnset } from "../../core/drop-unset.ts";
import { httpAddressVariable, secretVariable } from "../../core/variable-schemas.ts";
import { loadChatCompletions } from "./load-chat-completions.ts";
import { defineProvider } from "./model-provider.ts";

/** OpenAI, and every server that speaks its API: Moonshot, DeepSeek, Qwen, vLLM … */
export const openai = defineProvider({
  environment: { OPENAI_API_KEY: secretVariable.optional(), OPENAI_BASE_URL: httpAddressVariable.optional() },
  readCredentials: ({ OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl }) =>
    apiKey === undefined && baseUrl === undefined ? undefined : dropUnset({ apiKey, baseUrl }),
  whyNot: (credentials) =>
    credentials ? undefined : "needs OPENAI_API_KEY (or OPENAI_BASE_URL of a server without keys).",
  defaultModel: "gpt-4o-mini",
  // The models that hear have it in their names; of documents only OpenAI's own server knows.
  inputs: (model) => ["image", ...(/audio|omni/i.test(model) ? (["audio"] as const) : [])],
  load: (model, { apiKey = "none", baseUrl = "https://api.openai.com/v1" }) =>
    loadChatCompletions({ model, apiKey, baseUrl }),
});
