import type { ConversationMessage } from "./conversation.ts";

/** About as many as tokenizers of the day make: a CJK letter is one, four of the others are one. */
export function estimateTokens(text: string): number {
  const wide = text.match(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]/g)?.length ?? 0;
  return wide + Math.ceil((text.length - wide) / 4);
}

/** The tokens that a server adds around each message. */
export const tokensAroundMessage = 4;

/** About as many as a message takes in a prompt. */
export function estimateMessageTokens(message: ConversationMessage): number {
  const calls = message.role === "assistant" && message.calls.length > 0 ? JSON.stringify(message.calls) : "";
  return tokensAroundMessage + estimateTokens(message.text) + estimateTokens(calls);
}
