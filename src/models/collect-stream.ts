import { createAnswerCollector } from "./collect-answer.ts";
import type { AnswerPiece, ClientRequest, ModelClient } from "./model-client.ts";
import { readInTime, type TimeLimits } from "./read-in-time.ts";
import type { ModelAnswer, ModelEvent } from "./types.ts";

interface OneAsking {
  readonly client: ModelClient;
  readonly request: ClientRequest;
  /** See createThoughtFilter. */
  readonly holds: boolean;
  readonly signal: AbortSignal;
  readonly limits: TimeLimits;
  readonly onText: (text: string) => void;
  readonly onCall: (piece: Extract<ModelEvent, { kind: "call" }>) => void;
  /** The text given out before is void: it was a thought. */
  readonly onVoid: () => void;
}

export type CollectedAnswer = Omit<ModelAnswer, "model"> & { readonly thoughtUnopened: boolean };

/** Asks one model once and reads its whole answer. Throws the fault unjudged. */
export async function collectStream(asking: OneAsking): Promise<CollectedAnswer> {
  const { client, request, limits, onText, onCall, onVoid } = asking;
  const { source, tools } = request;
  const collector = createAnswerCollector({ source, tools, holds: asking.holds });

  await readInTime<AnswerPiece>({
    open: (signal) => Promise.resolve(client.ask(request, signal)),
    limits,
    signal: asking.signal,
    take: (piece) => {
      const { call, isVoid, text } = collector.add(piece);
      if (isVoid === true) onVoid();
      if (text !== "") onText(text);
      if (call !== undefined && call.text !== "") onCall(call);
      if (collector.ended) return "ended";
      return collector.begun ? "begun" : "waiting";
    },
  });
  const { rest, ...answer } = collector.finish();
  if (rest !== "") onText(rest);
  return answer;
}
