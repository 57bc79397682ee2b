import { AIMessage, ToolMessage } from "@langchain/core/messages";
import type { BaseMessage } from "@langchain/core/messages";

/**
 * Makes a conversation fit for every provider. Our call ids (`1.2`) repeat from turn to turn; Anthropic wants them
 * unique within a request and without dots, Mistral wants exactly nine letters and digits. Empty answers are left
 * out, because Anthropic refuses a request that holds one. Of what came along with an answer only the mark of an
 * example stays (see isExample).
 */
export function prepareMessages(messages: readonly BaseMessage[]): BaseMessage[] {
  const current = new Map<string, string>();
  let count = 0;
  const renew = (id: string) => {
    count += 1;
    const renewed = `call${String(count).padStart(5, "0")}`;
    current.set(id, renewed);
    return renewed;
  };
  const prepared: BaseMessage[] = [];
  for (const message of messages) {
    if (AIMessage.isInstance(message)) {
      const calls = message.tool_calls ?? [];
      if (calls.length === 0 && message.text.trim() === "") continue;
      prepared.push(
        new AIMessage({
          content: message.text,
          additional_kwargs: isExample(message) ? { example: true } : {},
          tool_calls: calls.map((call) => ({ ...call, id: renew(call.id ?? "") })),
        }),
      );
    } else if (ToolMessage.isInstance(message)) {
      const id = current.get(message.tool_call_id) ?? renew(message.tool_call_id);
      prepared.push(new ToolMessage({ content: message.content, tool_call_id: id }));
    } else prepared.push(message);
  }
  return prepared;
}

/** An answer that was never given but shows how she talks carries `additional_kwargs: { example: true }`. */
export function isExample(message: BaseMessage): boolean {
  return message.additional_kwargs.example === true;
}
