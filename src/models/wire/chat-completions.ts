import type { JsonObject } from "../../core/conversation.ts";
import type { InputPart } from "../../core/content-part.ts";
import type { ClientRequest, ModelClient } from "../model-client.ts";
import type { Quirks } from "../quirks.ts";
import { createPostForAnswer, resolveOperation } from "./post-for-answer.ts";
import { prepareConversation } from "./prepare-conversation.ts";
import { readChatAnswer } from "./read-chat-answer.ts";
import { createToolWriter } from "./tool-schema.ts";
import type { WireMessage } from "./wire-message.ts";

/** Any server that speaks OpenAI's chat completions. Its address is the part before `/chat/completions`. */
export function createChatCompletions(options: {
  readonly model: string;
  readonly apiKey: string;
  readonly baseUrl: string;
}): ModelClient {
  const post = createPostForAnswer();
  const url = resolveOperation(options.baseUrl, "/chat/completions");
  const headers = { authorization: `Bearer ${options.apiKey}` };
  const writeTool = createToolWriter(({ name, description }, parameters) => ({
    type: "function",
    function: { name, description, parameters },
  }));

  function write(request: ClientRequest): object {
    const { quirks } = request;
    const { messages, tools } = prepareConversation(request);
    const body = {
      model: options.model,
      messages: messages.map((message) => writeMessage(message, quirks)),
      stream: true,
      stream_options: { include_usage: true },
      ...(tools.length > 0 && { tools: tools.map(writeTool) }),
    };
    if (quirks.omitted.has("stream")) return omit(body, new Set([...quirks.omitted, "stream_options"]));
    return omit(body, quirks.omitted);
  }

  return { ask: (request, signal) => readChatAnswer(post({ url, headers, body: write(request) }, signal)) };
}

export function omit(body: object, names: ReadonlySet<string>): object {
  return names.size === 0 ? body : Object.fromEntries(Object.entries(body).filter(([key]) => !names.has(key)));
}

function writeMessage(message: WireMessage, { demanded, nullContent, omitted, textOnly }: Quirks): object {
  switch (message.role) {
    case "system":
      return { role: "system", content: message.text };
    case "user": {
      const { parts } = message;
      if (parts.length === 0) return { role: "user", content: message.text };
      return { role: "user", content: [{ type: "text", text: message.text }, ...parts.map(writeChatPart)] };
    }
    case "result":
      return { role: "tool", tool_call_id: message.call, content: message.text };
    case "assistant": {
      const { calls, kept, text } = message;
      const empty = calls.length === 0 ? [] : [...demanded].map((name) => [name, ""]);
      const fields = omit({ ...Object.fromEntries(empty), ...kept?.fields }, omitted);
      const blocks = textOnly === true ? [] : (kept?.blocks ?? []).filter(({ type }) => type !== "text");
      return {
        role: "assistant",
        content:
          nullContent === true && text === "" && calls.length > 0
            ? null
            : blocks.length === 0
              ? text
              : [...blocks, ...(text === "" ? [] : [{ type: "text", text }])],
        ...fields,
        ...(calls.length > 0 && {
          tool_calls: calls.map(({ id, name, arguments: given }, index) => ({
            id,
            type: "function",
            function: { name, arguments: JSON.stringify(given), ...kept?.calls?.[index]?.functionFields },
            ...omit(kept?.calls?.[index]?.fields ?? {}, omitted),
          })),
        }),
      };
    }
  }
}

/** A part of a person's message, as OpenAI documents it. */
function writeChatPart(part: InputPart): JsonObject {
  const address = `data:${part.mimeType};base64,${part.data}`;
  switch (part.type) {
    case "image":
      return { type: "image_url", image_url: { url: address } };
    case "audio": {
      const format = part.mimeType.includes("wav") ? "wav" : "mp3";
      return { type: "input_audio", input_audio: { data: part.data, format } };
    }
    case "file":
      return { type: "file", file: { filename: part.metadata.filename, file_data: address } };
  }
}
