import { AppError } from "../../core/errors.ts";

/** A request that a feature answers; its kind defines the other fields. */
export interface FeatureRequest {
  readonly kind: string;
}

/**
 * Answers requests of one kind, typed by the feature. The signal fires when the client cancels the request or
 * disconnects.
 */
export type AnswerRequest = (request: never, signal: AbortSignal) => Promise<string>;

/** Passes a request to the feature that handles its kind. */
export async function answerRequest(
  answers: Readonly<Record<string, AnswerRequest>>,
  request: FeatureRequest,
  signal: AbortSignal,
): Promise<string> {
  const { kind } = request;
  const answer = Object.hasOwn(answers, kind) ? answers[kind] : undefined;
  if (answer) return answer(request as never, signal);
  // A client of another version must not wait for an answer that never comes.
  const remedy = "It runs another version than this command; restart it.";
  throw new AppError("INTERNAL", `The running Kurisu knows no request ${kind}. ${remedy}`);
}
