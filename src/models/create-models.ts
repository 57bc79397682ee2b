import type { Logger } from "pino";
import type { BaseMessage } from "@langchain/core/messages";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { sleep } from "../core/abort.ts";
import type { InputKind } from "../core/content-part.ts";
import type { Clock } from "../core/clock.ts";
import { estimateTokens } from "../core/estimate-tokens.ts";
import { createScrubber } from "../core/scrub-secrets.ts";
import { createBindTools } from "./bind-tools.ts";
import { classifyFailure, nameOutage, type ModelFailure } from "./classify-failure.ts";
import { collectStream } from "./collect-stream.ts";
import { type ModelCredentials, modelProviders } from "./model-providers.ts";
import { createModelHealth } from "./model-health.ts";
import { formatModelReference, type ModelReference } from "./model-reference.ts";
import type { OfflinePhrases } from "./offline/phrases.ts";
import { estimateRequest } from "./estimate-request.ts";
import { findPassingOutage, NoModelAnswered } from "./no-model-answered.ts";
import { planRetry } from "./plan-retry.ts";
import type { TimeLimits } from "./read-in-time.ts";
import type { Models, ModelEvent, ModelRequest, Spending } from "./types.ts";
import { fitParts, listInputs, writeChatPart } from "./write-part.ts";

export interface ModelLimits extends TimeLimits {
  /** How often the same model is asked again after a passing failure. */
  readonly retries: number;
  /** The first pause before that, milliseconds; doubles each time. */
  readonly backoffMs: number;
}

export interface ModelsOptions {
  /** In fallback order, at least one. */
  readonly models: readonly ModelReference[];
  readonly credentials: ModelCredentials;
  /** As of now: a request keeps those that it began with. */
  readonly limits: () => ModelLimits;
  /** The input kinds that the models take beside text; undefined = their providers decide. */
  readonly inputs: () => readonly InputKind[] | undefined;
  readonly clock: Clock;
  readonly log: Pick<Logger, "warn">;
  /** Told of every request that used anything up, before its answer is given. Never throws. */
  readonly spend?: (spending: Spending) => Promise<void>;
  /** The offline model's sentences, as of now. */
  /** Of the persona that speaks in a session. */
  readonly offline: (session: string) => OfflinePhrases;
}

/** The models of this installation behind one question: the first that answers wins. */
export function createModels(options: ModelsOptions): Models {
  const { models, credentials, limits, clock, log, offline } = options;
  const scrub = createScrubber(
    Object.values(credentials).flatMap(({ apiKey }) => (apiKey === undefined ? [] : [apiKey])),
  );
  const entries = models.map((reference) => {
    const name = formatModelReference(reference);
    let loading: Promise<LoadedModel> | undefined;
    return {
      reference,
      name,
      bindTools: createBindTools(),
      refused: new Map<InputKind, number>(),
      health: createModelHealth(name, clock),
      load: () => (loading ??= loadChatModel(reference, credentials, offline)),
    };
  });

  const inputsOf = (reference: ModelReference) => options.inputs() ?? findInputs(reference);

  return {
    get inputs() {
      return new Set(entries.flatMap(({ reference }) => inputsOf(reference)));
    },
    offline: models.every(({ provider }) => provider === "offline"),
    get contextTokens() {
      const inUse = entries.find(({ health }) => !health.coolingDown) ?? entries[0];
      return inUse === undefined ? usualContext : findContext(inUse.reference);
    },
    status: () => entries.map(({ health }) => health.status()),

    async ask(request, onEvent) {
      request.signal.throwIfAborted();
      const show = createShow(onEvent);
      const reasons = new Map<string, ModelFailure>();
      const usable = entries.filter(({ name }) => !request.without?.has(name));
      const rested = usable.filter(({ health }) => !health.coolingDown);
      for (const entry of rested.length > 0 ? rested : usable) {
        for (let attempt = 1; ; attempt += 1) {
          const answer = await attemptOnce(entry, request, show.piece);
          if (answer.kind === "answer") {
            entry.health.succeed();
            // An answer without text voids shown words too.
            show.complete();
            return { ...answer.answer, model: entry.name };
          }
          const { failure } = answer;
          if (failure.kind === "refused" && leaveOut(entry, request.messages)) continue;
          log.warn({ model: entry.name, failure: failure.kind, attempt }, failure.detail);
          show.fail(`${entry.name}: ${failure.detail}`);
          const waitMs = planRetry(failure, attempt, limits(), Math.random());
          if (waitMs === undefined) {
            entry.health.fail(failure);
            reasons.set(entry.name, failure);
            break;
          }
          await sleep(waitMs, request.signal);
          request.signal.throwIfAborted();
        }
      }
      const words = usable.map(({ name, health }) => `${name}: ${reasons.get(name)?.detail ?? health.status().detail}`);
      // One that is left alone for now counts with its last failure: it may be the one that comes back.
      const failures = usable.flatMap(({ name, health }) => reasons.get(name) ?? health.lastFailure ?? []);
      const cause = nameOutage(failures.map(({ kind }) => kind));
      throw new NoModelAnswered(cause, `No model answered. ${words.join("; ")}`, findPassingOutage(failures));
    },
  };

  /** Without what it refused a while ago: the fault may have been the picture's. */
  function listTaken({
    reference,
    refused,
  }: Pick<(typeof entries)[number], "reference" | "refused">): ReadonlySet<InputKind> {
    const since = clock.now() - refusalKeptMs;
    return new Set(inputsOf(reference).filter((kind) => (refused.get(kind) ?? Number.NEGATIVE_INFINITY) < since));
  }

  /**
   * The commonest reason to refuse parts is to take none; the words alone may go through. Rarer kinds go first, since most
   * models that refuse a document still see. false = there was nothing to leave out.
   */
  function leaveOut(entry: (typeof entries)[number], messages: readonly BaseMessage[]): boolean {
    const taken = listTaken(entry);
    const given = [...listInputs(messages)].filter((kind) => taken.has(kind));
    const rare = given.filter((kind) => kind !== "image");
    for (const kind of rare.length > 0 ? rare : given) entry.refused.set(kind, clock.now());
    return given.length > 0;
  }

  async function spend(
    { name, reference }: (typeof entries)[number],
    request: ModelRequest,
    told: Spending["usage"],
    written: string,
  ): Promise<void> {
    if (reference.provider === "offline") return;
    const estimated = told.input === 0 && told.output === 0;
    const guess = () => ({ input: estimateRequest(request), output: estimateTokens(written), cachedInput: 0 });
    await options.spend?.({ payer: request.payer, model: name, usage: estimated ? guess() : told, estimated });
  }

  async function attemptOnce(
    entry: (typeof entries)[number],
    request: ModelRequest,
    onPiece: (event: Exclude<ModelEvent, { kind: "restart" }>) => void,
  ): Promise<Attempt> {
    const listener: { fault?: { readonly cause: unknown } } = {};
    let written = "";
    const tell: typeof onPiece = (event) => {
      written += event.text;
      try {
        onPiece(event);
      } catch (cause) {
        listener.fault = { cause };
        throw cause;
      }
    };
    try {
      const loaded = await entry.load();
      const answer = await collectStream({
        chatModel: loaded(request),
        bindTools: entry.bindTools,
        marksPrefix: hasMarks(entry.reference),
        request: { ...request, messages: fitParts(request.messages, listTaken(entry), findWriter(entry.reference)) },
        limits: limits(),
        onText: (text) => tell({ kind: "text", text }),
        onCall: tell,
      });
      await spend(entry, request, answer.usage, JSON.stringify([answer.text, answer.calls]));
      return { kind: "answer", answer };
    } catch (error) {
      // A server that had begun has worked for it, whatever became of the answer.
      if (written !== "" || request.signal.aborted) await spend(entry, request, noUsage, written);
      // Neither a stopped turn nor a fault of the one who listens is a failure of the model.
      request.signal.throwIfAborted();
      if (listener.fault !== undefined) throw error;
      return { kind: "failure", failure: classifyFailure(error, { model: entry.reference, now: clock.now(), scrub }) };
    }
  }
}

/** A model that takes no pictures is not offered one in each round. */
const refusalKeptMs = 10 * 60_000;

const noUsage = { input: 0, output: 0, cachedInput: 0 };

type Attempt =
  | { readonly kind: "answer"; readonly answer: Awaited<ReturnType<typeof collectStream>> }
  | { readonly kind: "failure"; readonly failure: ModelFailure };

/** Announces a restart only when shown words are void and another answer really begins. */
function createShow(onEvent: (event: ModelEvent) => void) {
  let shown = false;
  let failed: string | undefined;
  const restart = () => {
    if (shown && failed !== undefined) onEvent({ kind: "restart", reason: failed });
    if (failed !== undefined) shown = false;
    failed = undefined;
  };
  return {
    piece(event: Exclude<ModelEvent, { kind: "restart" }>) {
      restart();
      shown = true;
      onEvent(event);
    },
    fail(reason: string) {
      failed ??= reason;
    },
    complete: restart,
  };
}

function findInputs(reference: ModelReference): readonly InputKind[] {
  if (reference.provider === "offline") return [];
  return modelProviders[reference.provider].inputs?.(reference.name) ?? ["image"];
}

/** A server that takes more loses nothing; one that takes less cuts off the beginning, which is the persona. */
const usualContext = 32_000;

function findContext(reference: ModelReference): number {
  if (reference.provider === "offline") return usualContext;
  return modelProviders[reference.provider].contextTokens?.(reference.name) ?? usualContext;
}

function hasMarks({ provider }: ModelReference): boolean {
  return provider !== "offline" && modelProviders[provider].marksPrefix === true;
}

function findWriter({ provider }: ModelReference): typeof writeChatPart {
  return (provider === "offline" ? undefined : modelProviders[provider].writePart) ?? writeChatPart;
}

/** A loaded model. Only the offline one asks for the language; a real model sees it in the prompt. */
type LoadedModel = (request: Pick<ModelRequest, "language" | "payer">) => BaseChatModel;

/** Imports what the model needs on first use. */
async function loadChatModel(
  model: ModelReference,
  credentials: ModelCredentials,
  phrases: (session: string) => OfflinePhrases,
): Promise<LoadedModel> {
  if (model.provider === "offline") {
    const { OfflineModel } = await import("./offline/offline-model.ts");
    return ({ language, payer }) => new OfflineModel({ phrases: phrases(payer.chat ?? ""), language });
  }
  const chatModel = await modelProviders[model.provider].load(model.name, credentials[model.provider] ?? {});
  return () => chatModel;
}
