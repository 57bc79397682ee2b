import type { BaseMessage } from "@langchain/core/messages";
import { systemClock } from "../core/clock.ts";
import type { InputKind } from "../core/content-part.ts";
import { AppError, type ErrorCode } from "../core/errors.ts";
import type { FailureKind } from "./classify-failure.ts";
import { createModels, type ModelsOptions } from "./create-models.ts";
import type { ModelCredentials } from "./model-providers.ts";
import type { ModelReference } from "./model-reference.ts";
import { NoModelAnswered } from "./no-model-answered.ts";
import { offlinePhrasesSchema } from "./offline/phrases.ts";
import type { ModelAnswer, ToolDefinition } from "./types.ts";

/** A model and what is needed to reach it. */
export interface TriedServer {
  readonly model: ModelReference;
  readonly credentials: ModelCredentials;
  /** For everything together, milliseconds. */
  readonly maxMs: number;
}

interface OneQuestion extends Pick<ModelsOptions, "onToolsRefused" | "onInputsRefused"> {
  readonly messages: readonly BaseMessage[];
  readonly tools?: readonly ToolDefinition[];
  readonly inputs?: readonly InputKind[];
}

export type OneAnswer =
  | {
      readonly kind: "answered";
      readonly answer: ModelAnswer;
      /** In how many its text came from the server. */
      readonly pieces: number;
      readonly milliseconds: number;
    }
  | FailedAsking;

export interface FailedAsking {
  readonly kind: "failed";
  readonly code: ErrorCode;
  readonly failure: FailureKind;
  /** The fault in the server's words, without the key. */
  readonly detail: string;
}

/** Asks one model as a turn would ask it, refusals that can be met included, and leaves nothing behind. Never throws. */
export async function askOnce(
  { credentials, maxMs, model }: TriedServer,
  { inputs = [], messages, tools = [], ...listeners }: OneQuestion,
): Promise<OneAnswer> {
  let pieces = 0;
  const models = createModels({
    models: [model],
    credentials,
    limits: () => ({ firstTokenMs: maxMs, idleMs: maxMs, totalMs: maxMs, retries: 0, backoffMs: 0 }),
    inputs: () => inputs,
    clock: systemClock,
    log: { warn: () => undefined },
    offline: () => offlinePhrasesSchema.parse({}),
    onTextPiece: () => (pieces += 1),
    ...listeners,
  });
  const started = performance.now();
  try {
    const answer = await models.ask(
      {
        messages,
        tools,
        language: "en",
        payer: { id: "cli:owner", owner: true },
        signal: AbortSignal.timeout(maxMs),
      },
      () => undefined,
    );
    return { kind: "answered", answer, pieces, milliseconds: Math.round(performance.now() - started) };
  } catch (error) {
    const [failure] = error instanceof NoModelAnswered ? error.failures : [];
    return {
      kind: "failed",
      code: error instanceof AppError ? error.code : "MODEL_UNAVAILABLE",
      failure: failure?.kind ?? "slow",
      detail: failure?.detail ?? `no whole answer in ${maxMs / 1000} s`,
    };
  }
}
