import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { estimateTokens, tokensAroundMessage } from "../core/estimate-tokens.ts";
import type { ModelRequest } from "./types.ts";

const perPicture = 1_000;

/** Estimates the tokens of a request, where the server does not report them. */
export function estimateRequest({ messages, tools }: Pick<ModelRequest, "messages" | "tools">): number {
  const said = messages.reduce((sum, message) => sum + tokensAroundMessage + estimateMessage(message), 0);
  return said + estimateTokens(JSON.stringify(tools));
}

function estimateMessage(message: BaseMessage): number {
  const { content } = message;
  const calls = (AIMessage.isInstance(message) && message.tool_calls) || [];
  const ofCalls = calls.length === 0 ? 0 : estimateTokens(JSON.stringify(calls));
  if (typeof content === "string") return ofCalls + estimateTokens(content);
  return content.reduce((sum, block) => {
    const { text } = block as { readonly text?: unknown };
    return sum + (typeof text === "string" ? estimateTokens(text) : perPicture);
  }, ofCalls);
}
