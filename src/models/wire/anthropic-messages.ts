import type { JsonObject } from "../../core/conversation.ts";
import type { InputPart } from "../../core/content-part.ts";
import type { ClientRequest, ModelClient } from "../model-client.ts";
import { createPostForAnswer, resolveOperation } from "./post-for-answer.ts";
import { prepareConversation } from "./prepare-conversation.ts";
import { omit } from "./chat-completions.ts";
import { readMessagesAnswer } from "./read-messages-answer.ts";
import { createToolWriter } from "./tool-schema.ts";
import { beginning, type WireMessage } from "./wire-message.ts";

const apiVersion = "2023-06-01";

/** Anthropic's messages, at its own address or a compatible one. The address is the part before `/v1/messages`. */
export function createAnthropicMessages(options: {
  readonly model: string;
  readonly apiKey: string;
  readonly baseUrl: string;
}): ModelClient {
  const post = createPostForAnswer();
  const url = resolveOperation(options.baseUrl.replace(/\/v1\/*$/, ""), "/v1/messages");
  const headers = { "x-api-key": options.apiKey, "anthropic-version": apiVersion };
  const writeTool = createToolWriter(({ name, description }, parameters) => ({
    name,
    description,
    input_schema: parameters,
  }));

  function write(request: ClientRequest): object {
    const { quirks } = request;
    const { messages, tools } = prepareConversation(request);
    const system = messages.flatMap((message) => (message.role === "system" ? [message.text] : [])).join("\n\n");
    const talk = beginWithUser(messages.filter(({ role }) => role !== "system"));
    const mark = quirks.omitted.has("cache_control") ? {} : { cache_control: { type: "ephemeral" } };
    const body = {
      model: options.model,
      max_tokens: quirks.outputOnce ?? quirks.maxOutputTokens ?? findMaxOutput(options.model),
      ...(system !== "" && {
        system: quirks.textOnly === true ? system : [{ type: "text", text: system, ...mark }],
      }),
      messages: joinResults(talk.map((message, index) => writeMessage(message, isPrefixEnd(talk, index) ? mark : {}))),
      stream: true,
      ...(tools.length > 0 && { tools: tools.map(writeTool) }),
    };
    return omit(body, quirks.omitted);
  }

  return { ask: (request, signal) => readMessagesAnswer(post({ url, headers, body: write(request) }, signal)) };
}

function beginWithUser(messages: readonly WireMessage[]): readonly WireMessage[] {
  return messages[0]?.role === "assistant" ? [beginning, ...messages] : messages;
}

/** Output limits of its models, as docs.anthropic.com lists them; a compatible server says when it takes less. */
function findMaxOutput(model: string): number {
  if (/claude-(?:2|instant|3-(?:opus|sonnet|haiku))/.test(model)) return 4_096;
  return /claude-3/.test(model) ? 8_192 : 16_384;
}

/** The server keeps only the beginnings that it is asked to: here, what was said before the newest message. */
function isPrefixEnd(messages: readonly WireMessage[], index: number): boolean {
  const next = messages[index + 1];
  return next?.role === "user" && next.isNewest === true;
}

type Block = JsonObject;

interface Written {
  readonly role: "user" | "assistant";
  readonly content: string | readonly Block[];
}

function writeMessage(message: WireMessage, mark: JsonObject): Written {
  switch (message.role) {
    case "system":
    case "user": {
      const parts = message.role === "user" ? message.parts : [];
      if (parts.length === 0 && Object.keys(mark).length === 0) return { role: "user", content: message.text };
      const words = message.text === "" ? [] : [{ type: "text", text: message.text, ...mark }];
      return { role: "user", content: [...words, ...parts.map(writePart)] };
    }
    case "result":
      return {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: message.call,
            content: message.text,
            ...(message.failed && { is_error: true }),
          },
        ],
      };
    case "assistant":
      return writeAssistant(message, mark);
  }
}

/** Kept blocks keep their places: the server checks the order of thoughts, text and calls. */
function writeAssistant({ calls, kept, text }: Extract<WireMessage, { role: "assistant" }>, mark: JsonObject): Written {
  const words: readonly Block[] = text.trim() === "" ? [] : [{ type: "text", text: text.trimEnd(), ...mark }];
  const uses = calls.map(({ id, name, arguments: input }, index): Block => ({
    type: "tool_use",
    id,
    name,
    input,
    ...kept?.calls?.[index]?.fields,
  }));
  const blocks = kept?.blocks ?? [];
  if (blocks.length === 0 && uses.length === 0 && words.length > 0 && Object.keys(mark).length === 0)
    return { role: "assistant", content: text.trimEnd() };
  const waiting = { words: [...words], uses: [...uses] };
  const placed = blocks.flatMap((block): readonly Block[] => {
    if (block["type"] === "text") return waiting.words.splice(0);
    return block["type"] === "call" ? waiting.uses.splice(0, 1) : [block];
  });
  const rest = [...waiting.words, ...waiting.uses];
  // Text precedes calls where no kept block says otherwise.
  const firstCall = placed.findIndex(({ type }) => type === "tool_use");
  const content =
    firstCall < 0 || waiting.words.length === 0
      ? [...placed, ...rest]
      : [...placed.slice(0, firstCall), ...waiting.words, ...placed.slice(firstCall), ...waiting.uses];
  return { role: "assistant", content };
}

/** The results of a round are one message, and what a person says after them belongs to it. */
function joinResults(messages: readonly Written[]): readonly Written[] {
  const joined: Written[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (last?.role !== message.role) joined.push(message);
    else
      joined[joined.length - 1] = {
        role: last.role,
        content: [...toBlocks(last.content), ...toBlocks(message.content)],
      };
  }
  return joined;
}

function toBlocks(content: Written["content"]): readonly Block[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

function writePart(part: InputPart): Block {
  const source = { type: "base64", media_type: part.mimeType, data: part.data };
  return part.type === "image" ? { type: "image", source } : { type: "document", source };
}
