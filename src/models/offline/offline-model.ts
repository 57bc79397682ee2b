import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import type { BaseLanguageModelInput } from "@langchain/core/language_models/base";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { BaseChatModelCallOptions, BindToolsInput } from "@langchain/core/language_models/chat_models";
import { AIMessage, AIMessageChunk } from "@langchain/core/messages";
import type { BaseMessage } from "@langchain/core/messages";
import { ChatGenerationChunk } from "@langchain/core/outputs";
import type { ChatResult } from "@langchain/core/outputs";
import type { Runnable } from "@langchain/core/runnables";
import type { Language } from "../../core/conversation.ts";
import { composeReply } from "./compose-reply.ts";
import type { OfflineReply } from "./compose-reply.ts";
import type { OfflinePhrases } from "./phrases.ts";

interface OfflineCallOptions extends BaseChatModelCallOptions {
  readonly tools?: BindToolsInput[];
}

/**
 * The built-in model that follows rules: it needs no key and no network, streams like a real one and really drives
 * the tools, so the whole product can be tried and tested with it.
 */
export class OfflineModel extends BaseChatModel<OfflineCallOptions> {
  readonly #phrases: OfflinePhrases;
  readonly #language: Language;

  constructor({ phrases, language }: { phrases: OfflinePhrases; language: Language }) {
    super({});
    this.#phrases = phrases;
    this.#language = language;
  }

  override _llmType(): string {
    return "kurisu-offline";
  }

  override bindTools(
    tools: BindToolsInput[],
    kwargs?: Partial<OfflineCallOptions>,
  ): Runnable<BaseLanguageModelInput, AIMessageChunk, OfflineCallOptions> {
    return this.withConfig({ ...kwargs, tools });
  }

  override async _generate(messages: BaseMessage[], options: this["ParsedCallOptions"]): Promise<ChatResult> {
    const { text, calls } = this.#reply(messages, options);
    const toolCalls = calls.map((call, index) => ({ id: `call_${index + 1}`, name: call.name, args: call.arguments }));
    return { generations: [{ text, message: new AIMessage({ content: text, tool_calls: toolCalls }) }] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const { text, calls } = this.#reply(messages, options);
    for (const sentence of splitSentences(text)) {
      options.signal?.throwIfAborted();
      yield new ChatGenerationChunk({ text: sentence, message: new AIMessageChunk({ content: sentence }) });
      await runManager?.handleLLMNewToken(sentence);
    }
    for (const [index, call] of calls.entries()) {
      yield createCallChunk({ index, id: `call_${index + 1}`, name: call.name, args: "" });
      const written = JSON.stringify(call.arguments);
      const middle = Math.ceil(written.length / 2);
      yield createCallChunk({ index, args: written.slice(0, middle) });
      yield createCallChunk({ index, args: written.slice(middle) });
    }
    const reason = calls.length > 0 ? "tool_calls" : "stop";
    const end = new AIMessageChunk({ content: "", response_metadata: { finish_reason: reason } });
    yield new ChatGenerationChunk({ text: "", message: end });
  }

  #reply(messages: BaseMessage[], options: this["ParsedCallOptions"]): OfflineReply {
    const tools = (options.tools ?? []).flatMap((tool) => readToolName(tool) ?? []);
    return composeReply({ messages, tools, language: this.#language, phrases: this.#phrases });
  }
}

function createCallChunk(piece: { index: number; id?: string; name?: string; args: string }): ChatGenerationChunk {
  const message = new AIMessageChunk({ content: "", tool_call_chunks: [{ type: "tool_call_chunk", ...piece }] });
  return new ChatGenerationChunk({ text: "", message });
}

function splitSentences(text: string): readonly string[] {
  return text.match(/[^。！？!?\n]+[。！？!?]*\n*|[。！？!?\n]+/g) ?? [];
}

/** The OpenAI shape or a LangChain tool. */
function readToolName(tool: BindToolsInput): string | undefined {
  const named: object = "function" in tool && isRecord(tool.function) ? tool.function : tool;
  return "name" in named && typeof named.name === "string" ? named.name : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
