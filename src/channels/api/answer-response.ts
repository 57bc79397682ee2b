import { notThere, wordError } from "./api-error.ts";
import type { AnswerPiece } from "./answer-writer.ts";
import { writeChunk, writeCompletion, writeEvent, type ChunkContent, type Completion } from "./completion.ts";
import type { OpenAnswer } from "./open-answers.ts";

/** The target of a growing answer, and the response that carries it. */
export interface AnswerResponse {
  readonly onPiece: (piece: AnswerPiece) => void;
  /** Undefined when the process ends before there is an answer. */
  respond(answer: OpenAnswer): Promise<Response | undefined>;
}

const headers = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-cache",
  // A proxy before us must not collect it.
  "X-Accel-Buffering": "no",
};

/** Server-sent events, as the official clients read them. */
export function createStreamedResponse(
  completion: Completion,
  { wantsUsage, aliveMs }: { readonly wantsUsage: boolean; readonly aliveMs: number },
): AnswerResponse {
  const encoder = new TextEncoder();
  let stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  let leave: () => unknown = () => undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => void (stream = controller),
    cancel() {
      stream = undefined;
      leave();
    },
  });
  const send = (text: string): void => stream?.enqueue(encoder.encode(text));
  const sendChunk = (content: ChunkContent): void => send(writeChunk(completion, content, wantsUsage));
  sendChunk({ kind: "start" });

  async function finish(answer: OpenAnswer): Promise<void> {
    const alive = setInterval(() => send(": at work\n\n"), aliveMs);
    const end = await answer.ended;
    clearInterval(alive);
    if (end.kind === "answered") {
      sendChunk({ kind: "end", finish: end.finish });
      if (wantsUsage) sendChunk({ kind: "usage" });
      send(writeEvent("[DONE]"));
    } else if (end.kind === "stopped") send(writeEvent(JSON.stringify(wordError(notThere))));
    const ending = stream;
    stream = undefined;
    ending?.close();
  }

  return {
    onPiece: sendChunk,
    respond(answer) {
      leave = answer.leave;
      void finish(answer);
      return Promise.resolve(new Response(body, { headers }));
    },
  };
}

/** A single JSON object, sent when the answer is whole. */
export function createWholeResponse(completion: Completion): AnswerResponse {
  return {
    onPiece: () => undefined,
    async respond(answer) {
      const end = await answer.ended;
      if (end.kind === "stopped") return undefined;
      return Response.json(writeCompletion(completion, answer.text(), end.kind === "answered" ? end.finish : "stop"));
    },
  };
}
