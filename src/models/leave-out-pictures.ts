import { HumanMessage, type BaseMessage } from "@langchain/core/messages";

/** Whether a conversation shows pictures to the model. */
export function hasPictures(messages: readonly BaseMessage[]): boolean {
  return messages.some(({ content }) => Array.isArray(content) && content.some(({ type }) => type === "image_url"));
}

/** The conversation for a model that takes only text: it is told that there were pictures. */
export function leaveOutPictures(messages: readonly BaseMessage[]): BaseMessage[] {
  return messages.map((message) =>
    hasPictures([message])
      ? new HumanMessage(
          `${message.text}\n(The pictures are left out: this model reads text only. Say so instead of guessing.)`,
        )
      : message,
  );
}
