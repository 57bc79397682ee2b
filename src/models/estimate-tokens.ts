import type { BaseMessage } from "@langchain/core/messages";
import type { ModelRequest } from "./types.ts";

const perPicture = 1_000;
const perMessage = 4;

/** About as many as tokenizers of the day make: a CJK letter is one, four of the others are one. */
export function estimateTokens(text: string): number {
  const wide = text.match(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]/g)?.length ?? 0;
  return wide + Math.ceil((text.length - wide) / 4);
}

/** What a request sends, where the server does not tell. */
export function estimateRequest({ messages, tools }: Pick<ModelRequest, "messages" | "tools">): number {
  const said = messages.reduce((sum, message) => sum + perMessage + estimateMessage(message), 0);
  return said + estimateTokens(JSON.stringify(tools));
}

function estimateMessage({ content }: BaseMessage): number {
  if (typeof content === "string") return estimateTokens(content);
  return content.reduce((sum, block) => {
    const { text } = block as { readonly text?: unknown };
    return sum + (typeof text === "string" ? estimateTokens(text) : perPicture);
  }, 0);
}
