import { AIMessage, HumanMessage, SystemMessage, type BaseMessage } from "@langchain/core/messages";

/**
 * Marks for servers that keep only the beginnings of requests that they are told to: the end of the persona and rules, which
 * takes the tools before it along, and the end of what was said before the newest message.
 */
export function markPrefix(messages: readonly BaseMessage[]): BaseMessage[] {
  const newest = messages.findLastIndex((message) => message.text.startsWith("<context>"));
  return messages.map((message, index) => (index === 0 || index === newest - 1 ? mark(message) : message));
}

function mark(message: BaseMessage): BaseMessage {
  const { text } = message;
  // Content that is more than text stays as it is: the mark only saves money.
  if (typeof message.content !== "string" || text === "") return message;
  const content = [{ type: "text" as const, text, cache_control: { type: "ephemeral" } }];
  if (SystemMessage.isInstance(message)) return new SystemMessage({ content });
  if (HumanMessage.isInstance(message)) return new HumanMessage({ content });
  if (AIMessage.isInstance(message) && (message.tool_calls ?? []).length === 0) return new AIMessage({ content });
  return message;
}
