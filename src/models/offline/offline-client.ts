import type { AnswerPiece, ModelClient } from "../model-client.ts";
import { composeReply } from "./compose-reply.ts";
import type { OfflinePhrases } from "./phrases.ts";

/**
 * The built-in model that follows rules: it needs no key and no network, streams like a real one and really drives
 * the tools, so the whole product can be tried and tested with it. `phrases` are those of the persona of a session.
 */
export function createOfflineClient(phrases: (session: string) => OfflinePhrases): ModelClient {
  return {
    async *ask({ language, messages, payer, tools }, signal): AsyncGenerator<AnswerPiece> {
      const { calls, text } = composeReply({
        messages: [...messages],
        tools: tools.map(({ name }) => name),
        language,
        phrases: phrases(payer.chat ?? ""),
      });
      for (const sentence of splitSentences(text)) {
        signal.throwIfAborted();
        yield { kind: "text", text: sentence };
        // A reader between two sentences sees them apart, as with a server.
        await Promise.resolve();
      }
      for (const [index, call] of calls.entries()) {
        const written = JSON.stringify(call.arguments);
        const middle = Math.ceil(written.length / 2);
        yield { kind: "call", call: { index, id: `call_${index + 1}`, name: call.name, arguments: "" } };
        yield { kind: "call", call: { index, arguments: written.slice(0, middle) } };
        yield { kind: "call", call: { index, arguments: written.slice(middle) } };
      }
      yield { kind: "end", reason: calls.length > 0 ? "tool_calls" : "stop" };
    },
  };
}

function splitSentences(text: string): readonly string[] {
  return text.match(/[^。！？!?\n]+[。！？!?]*\n*|[。！？!?\n]+/g) ?? [];
}
