import type { ProviderName } from "../../models/model-providers.ts";

/** A service as people know it by name, and what it is to us. */
export interface ModelPreset {
  readonly id: "openai" | "deepseek" | "kimi" | "qwen" | "glm" | "anthropic" | "ollama" | "other";
  readonly name: string;
  readonly provider: ProviderName;
  /** Absent means the provider's own, or one that is asked for. */
  readonly baseUrl?: string;
  /** Only a suggestion, since services rename their models. Absent means the provider's default. */
  readonly model?: string;
  /** The page that gives out keys. */
  readonly keysAt?: string;
}

export const modelPresets: readonly ModelPreset[] = [
  {
    id: "openai",
    name: "OpenAI",
    provider: "openai",
    keysAt: "https://platform.openai.com/api-keys",
  },
  {
    id: "deepseek",
    name: "DeepSeek",
    provider: "openai",
    baseUrl: "https://api.deepseek.com/v1",
    model: "deepseek-chat",
    keysAt: "https://platform.deepseek.com/api_keys",
  },
  {
    id: "kimi",
    name: "Kimi (Moonshot)",
    provider: "openai",
    baseUrl: "https://api.moonshot.cn/v1",
    model: "kimi-latest",
    keysAt: "https://platform.moonshot.cn/console/api-keys",
  },
  {
    id: "qwen",
    name: "Qwen (DashScope)",
    provider: "openai",
    baseUrl: "https://dashscope.aliyuncs.com/compatible-mode/v1",
    model: "qwen-plus",
    keysAt: "https://bailian.console.aliyun.com",
  },
  {
    id: "glm",
    name: "GLM (Zhipu)",
    provider: "openai",
    baseUrl: "https://open.bigmodel.cn/api/paas/v4",
    model: "glm-4.5",
    keysAt: "https://open.bigmodel.cn",
  },
  {
    id: "anthropic",
    name: "Anthropic",
    provider: "anthropic",
    keysAt: "https://console.anthropic.com",
  },
  { id: "ollama", name: "Ollama", provider: "ollama" },
  { id: "other", name: "", provider: "openai" },
];
