import { AppError } from "../../core/errors.ts";

/** A request that a feature answers; its other fields are those of its kind. */
export interface FeatureRequest {
  readonly kind: string;
}

/** Answers requests of one kind, as the feature types them. The signal ends when the client cancels the request or goes away. */
export type AnswerRequest = (request: never, signal: AbortSignal) => Promise<string>;

/** The answer of the feature that knows the kind. */
export async function answerRequest(
  answers: Readonly<Record<string, AnswerRequest>>,
  request: FeatureRequest,
  signal: AbortSignal,
): Promise<string> {
  const { kind } = request;
  const answer = Object.hasOwn(answers, kind) ? answers[kind] : undefined;
  if (answer) return answer(request as never, signal);
  // A client of another version: it must not wait for an answer that never comes.
  const remedy = "It runs another version than this command; restart it.";
  throw new AppError("INTERNAL", `The running Kurisu knows no request ${kind}. ${remedy}`);
}
