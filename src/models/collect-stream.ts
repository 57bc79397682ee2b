import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { BaseMessageChunk } from "@langchain/core/messages";
import { createAnswerCollector } from "./collect-answer.ts";
import { markPrefix } from "./mark-prefix.ts";
import { prepareMessages } from "./prepare-messages.ts";
import { readInTime, type TimeLimits } from "./read-in-time.ts";
import type { BindTools } from "./bind-tools.ts";
import type { ModelAnswer, ModelEvent, ModelRequest } from "./types.ts";

interface OneAsking {
  readonly chatModel: BaseChatModel;
  readonly bindTools: BindTools;
  /** The server keeps only what is marked. */
  readonly marksPrefix: boolean;
  readonly request: ModelRequest;
  readonly limits: TimeLimits;
  readonly onText: (text: string) => void;
  readonly onCall: (piece: Extract<ModelEvent, { kind: "call" }>) => void;
}

/** Asks one model once and reads its whole answer. Throws the fault unjudged. */
export async function collectStream(asking: OneAsking): Promise<Omit<ModelAnswer, "model">> {
  const { chatModel, request, limits, onText, onCall } = asking;
  const collector = createAnswerCollector();
  const prepared = prepareMessages(request.messages);
  const messages = asking.marksPrefix ? markPrefix(prepared) : prepared;
  const bound = asking.bindTools(chatModel, request.tools);

  await readInTime<BaseMessageChunk>({
    open: (signal) => Promise.resolve(readPieces(chatModel, messages, { ...bound, signal })),
    limits,
    signal: request.signal,
    take: (chunk) => {
      const { text, calls } = collector.add(chunk);
      if (text !== "") onText(text);
      for (const piece of calls) if (piece.text !== "") onCall(piece);
      if (collector.ended) return "ended";
      return collector.begun ? "begun" : "waiting";
    },
  });
  const { rest, ...answer } = collector.finish();
  if (rest !== "") onText(rest);
  return answer;
}

/**
 * The provider's own stream. The usual `stream()` around it adds each piece to all before it, for callbacks that nobody has
 * set, and hands it on through three more streams.
 */
async function* readPieces(
  chatModel: BaseChatModel,
  ...[messages, options]: StreamArguments
): AsyncGenerator<BaseMessageChunk> {
  for await (const { message, generationInfo } of chatModel._streamResponseChunks(messages, options)) {
    // As `stream()` does: the finish reason is among these.
    message.response_metadata = { ...generationInfo, ...message.response_metadata };
    yield message;
  }
}

type StreamArguments = Parameters<BaseChatModel["_streamResponseChunks"]>;
