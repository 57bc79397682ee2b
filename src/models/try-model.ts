import { HumanMessage } from "@langchain/core/messages";
import { systemClock } from "../core/clock.ts";
import { AppError, type ErrorCode } from "../core/errors.ts";
import { createModels } from "./create-models.ts";
import type { ModelCredentials } from "./model-providers.ts";
import type { ModelReference } from "./model-reference.ts";
import { offlinePhrasesSchema } from "./offline/phrases.ts";

export type TriedModel =
  | { readonly kind: "answered"; readonly milliseconds: number }
  /** `detail` says what is wrong, without the key. */
  | { readonly kind: "failed"; readonly code: ErrorCode; readonly detail: string };

const limits = { firstTokenMs: 20_000, idleMs: 20_000, totalMs: 30_000, retries: 0, backoffMs: 0 };

/** Asks a model for one word, as a turn would ask it. Costs a few tokens. */
export async function tryModel(model: ModelReference, credentials: ModelCredentials): Promise<TriedModel> {
  const models = createModels({
    models: [model],
    credentials,
    limits: () => limits,
    inputs: () => undefined,
    clock: systemClock,
    log: { warn: () => undefined },
    offline: () => offlinePhrasesSchema.parse({}),
  });
  const started = performance.now();
  try {
    await models.ask(
      {
        messages: [new HumanMessage("Reply with one word: OK")],
        tools: [],
        language: "en",
        payer: { id: "cli:owner", owner: true },
        signal: AbortSignal.timeout(limits.totalMs),
      },
      () => undefined,
    );
    return { kind: "answered", milliseconds: Math.round(performance.now() - started) };
  } catch (error) {
    const [status] = models.status();
    const detail = status?.state === "failing" ? status.detail : "it did not answer in time";
    return { kind: "failed", code: error instanceof AppError ? error.code : "MODEL_UNAVAILABLE", detail };
  }
}
