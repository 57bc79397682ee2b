import { dropUnset } from "../../core/drop-unset.ts";
import { httpAddressVariable, secretVariable } from "../../core/variable-schemas.ts";
import { toImageAddress } from "../write-part.ts";
import { defineProvider } from "./model-provider.ts";

/** Anthropic's messages API, at its own address or a compatible one. */
export const anthropic = defineProvider({
  environment: { ANTHROPIC_API_KEY: secretVariable.optional(), ANTHROPIC_BASE_URL: httpAddressVariable.optional() },
  readCredentials: ({ ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: baseUrl }) =>
    apiKey === undefined ? undefined : dropUnset({ apiKey, baseUrl }),
  whyNot: (credentials) => (credentials ? undefined : "needs ANTHROPIC_API_KEY."),
  defaultModel: "claude-sonnet-4-5",
  inputs: () => ["image", "file"],
  contextTokens: () => 200_000,
  marksPrefix: true,
  // A picture as a standard block would be sent twice; a document as one is sent once.
  writePart: (part) => (part.type === "image" ? toImageAddress(part) : part),
  async load(model, { apiKey = "none", baseUrl = "https://api.anthropic.com" }) {
    const { ChatAnthropic } = await import("@langchain/anthropic");
    return new ChatAnthropic({
      model,
      apiKey,
      anthropicApiUrl: baseUrl,
      maxRetries: 0,
      streamUsage: true,
      clientOptions: { logLevel: "off" },
    });
  },
});
