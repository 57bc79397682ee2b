import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { AIMessageChunk } from "@langchain/core/messages";
import { createAnswerCollector } from "./collect-answer.ts";
import { prepareMessages } from "./prepare-messages.ts";
import { readInTime } from "./read-in-time.ts";
import type { TimeLimits } from "./read-in-time.ts";
import { toProviderTool } from "./to-provider-tool.ts";
import type { ModelAnswer, ModelRequest } from "./types.ts";

interface OneAsking {
  readonly chatModel: BaseChatModel;
  readonly request: ModelRequest;
  readonly limits: TimeLimits;
  readonly onText: (text: string) => void;
}

/** Asks one model once and reads its whole answer. Throws whatever went wrong, unjudged. */
export async function collectStream(asking: OneAsking): Promise<Omit<ModelAnswer, "model">> {
  const { chatModel, request, limits, onText } = asking;
  const collector = createAnswerCollector();
  const messages = prepareMessages(request.messages);
  const tools = request.tools.map(toProviderTool);
  const runnable = tools.length > 0 && chatModel.bindTools !== undefined ? chatModel.bindTools(tools) : chatModel;

  await readInTime<AIMessageChunk>({
    open: (signal) => runnable.stream(messages, { signal }),
    limits,
    signal: request.signal,
    take: (chunk) => {
      const text = collector.add(chunk);
      if (text !== "") onText(text);
      if (collector.ended) return "ended";
      return collector.begun ? "begun" : "waiting";
    },
  });
  const { rest, ...answer } = collector.finish();
  if (rest !== "") onText(rest);
  return answer;
}
