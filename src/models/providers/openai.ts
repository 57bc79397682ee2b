import { dropUnset } from "../../core/drop-unset.ts";
import { httpAddressVariable, secretVariable } from "../../core/variable-schemas.ts";
import { defineProvider } from "./model-provider.ts";

/** Figures from the makers' pages, for families whose names do not show them; the first that fits counts. */
const contextSizes: readonly (readonly [RegExp, number])[] = [
  [/gpt-3\.5/i, 16_000],
  [/gpt-4(?:o|\.|-turbo)|gpt-[5-9]|chatgpt|\bo[1-9]\b/i, 128_000],
  [/gpt-4/i, 8_000],
  [/deepseek/i, 64_000],
  [/kimi|moonshot/i, 128_000],
  [/glm-[4-9]|qwen(?:-?(?:plus|turbo|long|flash)|3)/i, 128_000],
];

/** OpenAI, and every server that speaks its API: Moonshot, DeepSeek, Qwen, vLLM … */
export const openai = defineProvider({
  environment: {
    OPENAI_API_KEY: secretVariable.optional().describe("Key of OpenAI, or of a server with the same API."),
    OPENAI_BASE_URL: httpAddressVariable
      .optional()
      .describe(
        "Any OpenAI-compatible server (Moonshot, DeepSeek, Zhipu, Qwen, vLLM …), such as https://api.deepseek.com/v1. Default: that of OpenAI.",
      ),
  },
  readCredentials: ({ OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl }) =>
    apiKey === undefined && baseUrl === undefined ? undefined : dropUnset({ apiKey, baseUrl }),
  whyNot: (credentials) =>
    credentials ? undefined : "needs OPENAI_API_KEY (or OPENAI_BASE_URL of a server without keys).",
  defaultModel: "gpt-4o-mini",
  // The models that hear have it in their names; of documents only OpenAI's own server knows.
  inputs: (model) => ["image", ...(/audio|omni/i.test(model) ? (["audio"] as const) : [])],
  contextTokens: (model) => {
    const named = /(?:^|[-_:])(\d{1,4})k\b/i.exec(model)?.[1];
    if (named !== undefined) return Number(named) * 1_000;
    return contextSizes.find(([pattern]) => pattern.test(model))?.[1];
  },
  async load(model, { apiKey = "none", baseUrl = "https://api.openai.com/v1" }) {
    const { createChatCompletions } = await import("../wire/chat-completions.ts");
    return createChatCompletions({ model, apiKey, baseUrl });
  },
});
