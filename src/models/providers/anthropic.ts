import { dropUnset } from "../../core/drop-unset.ts";
import { httpAddressVariable, secretVariable } from "../../core/variable-schemas.ts";
import { defineProvider } from "./model-provider.ts";

/** Anthropic's messages API, at its own address or a compatible one. */
export const anthropic = defineProvider({
  environment: {
    ANTHROPIC_API_KEY: secretVariable.optional().describe("Key of Anthropic."),
    ANTHROPIC_BASE_URL: httpAddressVariable
      .optional()
      .describe("A server with the API of Anthropic. Default: that of Anthropic."),
  },
  readCredentials: ({ ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: baseUrl }) =>
    apiKey === undefined ? undefined : dropUnset({ apiKey, baseUrl }),
  whyNot: (credentials) => (credentials ? undefined : "needs ANTHROPIC_API_KEY."),
  defaultModel: "claude-sonnet-4-5",
  inputs: () => ["image", "file"],
  contextTokens: () => 200_000,
  async load(model, { apiKey = "none", baseUrl = "https://api.anthropic.com" }) {
    const { createAnthropicMessages } = await import("../wire/anthropic-messages.ts");
    return createAnthropicMessages({ model, apiKey, baseUrl });
  },
});
