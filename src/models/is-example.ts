import type { BaseMessage } from "@langchain/core/messages";

/** An answer that was never given but shows how she talks carries `additional_kwargs: { example: true }`. */
export function isExample(message: BaseMessage): boolean {
  return message.additional_kwargs["example"] === true;
}
