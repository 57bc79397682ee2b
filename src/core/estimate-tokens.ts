import type { ConversationMessage } from "./conversation.ts";

/** About as many as tokenizers of the day make: a CJK letter is one, four of the others are one. */
export function estimateTokens(text: string): number {
  let wide = 0;
  for (let at = 0; at < text.length; at += 1) if (isWide(text.charCodeAt(at))) wide += 1;
  return wide + Math.ceil((text.length - wide) / 4);
}

/** Kana, Chinese characters, Hangul. */
function isWide(unit: number): boolean {
  if (unit < 0x3040 || unit > 0xfaff) return false;
  return unit <= 0x30ff || (unit >= 0x3400 && unit <= 0x9fff) || (unit >= 0xac00 && unit <= 0xd7af) || unit >= 0xf900;
}

/** The tokens that a server adds around each message. */
export const tokensAroundMessage = 4;

/** About as many as a message takes in a prompt. */
export function estimateMessageTokens(message: ConversationMessage): number {
  const calls = message.role === "assistant" && message.calls.length > 0 ? JSON.stringify(message.calls) : "";
  return tokensAroundMessage + estimateTokens(message.text) + estimateTokens(calls);
}
