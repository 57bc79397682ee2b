import type { Logger } from "pino";
import type { BaseMessage } from "@langchain/core/messages";
import { sleep } from "../core/abort.ts";
import type { InputKind } from "../core/content-part.ts";
import type { Clock } from "../core/clock.ts";
import type { ModelAsked } from "../core/meter.ts";
import { estimateTokens } from "../core/estimate-tokens.ts";
import { createScrubber } from "../core/scrub-secrets.ts";
import { classifyFailure, nameOutage, type ModelFailure } from "./classify-failure.ts";
import { collectStream, type CollectedAnswer } from "./collect-stream.ts";
import type { ClientRequest, ModelClient } from "./model-client.ts";
import { type ModelCredentials, modelProviders } from "./model-providers.ts";
import { createModelHealth } from "./model-health.ts";
import { formatModelReference, type ModelReference } from "./model-reference.ts";
import type { OfflinePhrases } from "./offline/phrases.ts";
import { estimateRequest } from "./estimate-request.ts";
import { listModelInputs } from "./list-model-inputs.ts";
import { findPassingOutage, NoModelAnswered } from "./no-model-answered.ts";
import { planRetry } from "./plan-retry.ts";
import { describeLearnt, describeQuirks, joinQuirks, noQuirks, type Quirks } from "./quirks.ts";
import { isOfAccount, isOfModel } from "./read-refusal.ts";
import { beginTrial, continueTrial, type Trial } from "./trial.ts";
import type { TimeLimits } from "./read-in-time.ts";
import type { Models, ModelEvent, ModelRequest, Spending } from "./types.ts";
import { ServerRefusal } from "./wire/server-refusal.ts";
import { watchTexts } from "./watch-texts.ts";
import { fitParts, listInputs } from "./write-part.ts";

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
  /** The input kinds that the models take in addition to text; undefined when their providers decide. */
  readonly inputs: () => readonly InputKind[] | undefined;
  readonly clock: Clock;
  readonly log: Pick<Logger, "warn">;
  /** Told of every request that used anything up, before its answer is given. Never throws. */
  readonly spend?: (spending: Spending) => Promise<void>;
  /** Told of every attempt, also of one that used nothing up. Never throws. */
  readonly onAsked?: (asked: ModelAsked) => void;
  /** Told when a server turns out to take no tools, or not all of them. Never throws. */
  readonly onToolsRefused?: (refused: ToolsRefused) => void;
  /**
   * Called when a request goes through only without its pictures, sounds or documents, with the server's words. Never
   * throws.
   */
  readonly onInputsRefused?: (reason: string) => void;
  /** Called for each piece of text as it comes from the server. Never throws. */
  readonly onTextPiece?: () => void;
  /** The offline model's sentences of the persona that speaks in a session, as of now. */
  readonly offline: (session: string) => OfflinePhrases;
}

export interface ToolsRefused {
  /** `provider:name` */
  readonly model: string;
  /** The tools that are left out from now on; empty means all of them. */
  readonly tools: readonly string[];
  /** The server's words. */
  readonly reason: string;
}

/** The models of this installation behind one question: the first that answers wins. */
export function createModels(options: ModelsOptions): Models {
  const { models, credentials, limits, clock, log, offline } = options;
  const scrub = createScrubber(
    Object.values(credentials).flatMap(({ apiKey }) => (apiKey === undefined ? [] : [apiKey])),
  );
  const entries = models.map((reference) => {
    const name = formatModelReference(reference);
    let loading: Promise<ModelClient> | undefined;
    return {
      reference,
      name,
      source: nameSource(reference, credentials),
      refused: new Map<InputKind, number>(),
      /** Learnt from its refusals. */
      quirks: noQuirks,
      learntAt: 0,
      holds: mayThinkUnopened(reference),
      health: createModelHealth(name, clock),
      load: () => (loading ??= loadModel(reference, credentials, offline)),
    };
  });

  type Entry = (typeof entries)[number];
  const inputsOf = (reference: ModelReference) => options.inputs() ?? listModelInputs(reference);

  return {
    get inputs() {
      return new Set(entries.flatMap(({ reference }) => inputsOf(reference)));
    },
    offline: models.every(({ provider }) => provider === "offline"),
    get contextTokens() {
      const inUse = entries.find(({ health }) => !health.coolingDown) ?? entries[0];
      if (inUse === undefined) return defaultContext;
      return Math.min(findContext(inUse.reference), inUse.quirks.maxPromptTokens ?? Number.POSITIVE_INFINITY);
    },
    status: () =>
      entries.map(({ health, quirks }) => {
        const status = health.status();
        const missing = describeQuirks(quirks);
        return missing === "" ? status : { ...status, detail: `${status.detail}, ${missing}` };
      }),

    async ask(request, onEvent) {
      request.signal.throwIfAborted();
      const show = createShow(onEvent);
      const reasons = new Map<string, ModelFailure>();
      const usable = entries.filter(({ name }) => !request.without?.has(name));
      const rested = usable.filter(({ health }) => !health.coolingDown);
      for (const entry of rested.length > 0 ? rested : usable) {
        if (clock.now() - entry.learntAt > quirksKeptMs) entry.quirks = noQuirks;
        let trial = beginTrial(entry.quirks);
        for (let attempt = 1; ;) {
          const answer = await attemptOnce(entry, request, trial.quirks, show);
          if (answer.kind === "answer") {
            entry.health.succeed();
            learn(entry, trial);
            // An answer without text voids shown words too.
            show.complete();
            const { thoughtUnopened: _unopened, ...given } = answer.answer;
            return { ...given, model: entry.name };
          }
          const { error, failure, hasBegun } = answer;
          const next = error instanceof ServerRefusal && !hasBegun ? adapt(entry, request, trial, error) : undefined;
          if (next !== undefined) {
            trial = next;
            continue;
          }
          log.warn({ model: entry.name, failure: failure.kind, attempt }, failure.detail);
          show.fail(`${entry.name}: ${failure.detail}`);
          const waitMs = planRetry(failure, attempt, limits(), Math.random());
          if (waitMs === undefined) {
            entry.health.fail(failure);
            reasons.set(entry.name, failure);
            break;
          }
          attempt += 1;
          await sleep(waitMs, request.signal);
          request.signal.throwIfAborted();
        }
      }
      const words = usable.map(({ name, health }) => `${name}: ${reasons.get(name)?.detail ?? health.status().detail}`);
      // A model that is left alone for now counts with its last failure: it may be the one that comes back.
      const failures = usable.flatMap(({ name, health }) => reasons.get(name) ?? health.lastFailure ?? []);
      const cause = nameOutage(failures.map(({ kind }) => kind));
      throw new NoModelAnswered(cause, `No model answered. ${words.join("; ")}`, findPassingOutage(failures), failures);
    },
  };

  function toClientRequest(entry: Entry, request: ModelRequest, quirks: Quirks): ClientRequest {
    const { language, messages, payer, tools } = request;
    const taken = quirks.textOnly === true ? new Set<InputKind>() : listTaken(entry);
    return { messages: fitParts(messages, taken), tools, language, payer, source: entry.source, quirks };
  }

  /** The next attempt after a refusal; undefined when there is nothing to leave out. */
  function adapt(entry: Entry, request: ModelRequest, trial: Trial, refusal: ServerRefusal): Trial | undefined {
    const sent = toClientRequest(entry, request, trial.quirks);
    const limitsOutput = entry.reference.provider === "anthropic";
    const next = continueTrial(trial, entry.quirks, refusal, { ...sent, limitsOutput });
    // A request can be too large for its pictures alone.
    const isOnlySize = next === undefined || next.quirks.maxPromptTokens !== trial.quirks.maxPromptTokens;
    if (isOnlySize && mayBeAboutParts(refusal) && leaveOut(entry, request.messages)) {
      options.onInputsRefused?.(scrub(refusal.message));
      return { ...trial, reason: refusal.message };
    }
    const reason = scrub(refusal.message);
    if (next?.quirks.textOnly !== trial.quirks.textOnly && listInputs(request.messages).size > 0)
      options.onInputsRefused?.(reason);
    if (next) log.warn({ model: entry.name, tries: describeLearnt(trial.quirks, next.quirks) }, `refused: ${reason}`);
    return next;
  }

  /** The request was answered the way it was tried: from now on all are made that way. */
  function learn(entry: Entry, { base, quirks, reason }: Trial): void {
    if (quirks === base) return;
    const before = entry.quirks;
    entry.quirks = joinQuirks(before, quirks);
    entry.learntAt = clock.now();
    const names = [...quirks.refusedTools].filter((tool) => !before.refusedTools.has(tool));
    const refused = { model: entry.name, reason: scrub(reason) };
    if (quirks.maxTools === 0 && before.maxTools !== 0) options.onToolsRefused?.({ ...refused, tools: [] });
    else if (names.length > 0) options.onToolsRefused?.({ ...refused, tools: names });
  }

  /** Without what it refused a while ago: the fault may have been the picture's. */
  function listTaken({ reference, refused }: Pick<Entry, "reference" | "refused">): ReadonlySet<InputKind> {
    const since = clock.now() - refusalKeptMs;
    return new Set(inputsOf(reference).filter((kind) => (refused.get(kind) ?? Number.NEGATIVE_INFINITY) < since));
  }

  /**
   * The commonest reason to refuse parts is to take none; the words alone may go through. Rarer kinds go first, since
   * most models that refuse a document still see. False when there was nothing to leave out.
   */
  function leaveOut(entry: Entry, messages: readonly BaseMessage[]): boolean {
    const taken = listTaken(entry);
    const given = [...listInputs(messages)].filter((kind) => taken.has(kind));
    const rare = given.filter((kind) => kind !== "image");
    for (const kind of rare.length > 0 ? rare : given) entry.refused.set(kind, clock.now());
    return given.length > 0;
  }

  async function spend(
    { name, reference }: Entry,
    request: ModelRequest,
    {
      end,
      startedAt,
      told,
      written,
    }: Pick<Spending, "end" | "startedAt"> & {
      readonly told: Spending["usage"];
      readonly written: string;
    },
  ): Promise<Spending["usage"]> {
    if (reference.provider === "offline") return noUsage;
    const estimated = told.input === 0 && told.output === 0;
    const guess = () => ({ input: estimateRequest(request), output: estimateTokens(written), cachedInput: 0 });
    const usage = estimated ? guess() : told;
    await options.spend?.({
      payer: request.payer,
      model: name,
      usage,
      estimated,
      startedAt,
      ms: clock.now() - startedAt,
      end,
    });
    return usage;
  }

  async function attemptOnce(
    entry: Entry,
    request: ModelRequest,
    quirks: Quirks,
    show: ReturnType<typeof createShow>,
  ): Promise<Attempt> {
    const listener: { fault?: { readonly cause: unknown } } = {};
    let written = "";
    const startedAt = clock.now();
    const count = (outcome: string, { input, output }: Spending["usage"]) => {
      const turn = request.payer.turn && { turn: request.payer.turn.id };
      const ms = clock.now() - startedAt;
      options.onAsked?.({ kind: "model-asked", ...turn, model: entry.name, outcome, input, output, startedAt, ms });
    };
    const tell: typeof show.piece = (event) => {
      written += event.text;
      try {
        show.piece(event);
      } catch (cause) {
        listener.fault = { cause };
        throw cause;
      }
    };
    try {
      const loaded = await entry.load();
      const answer = await collectStream({
        client: options.onTextPiece ? watchTexts(loaded, options.onTextPiece) : loaded,
        request: toClientRequest(entry, request, quirks),
        holds: entry.holds,
        signal: request.signal,
        limits: limits(),
        onText: (text) => tell({ kind: "text", text }),
        onCall: tell,
        onVoid: () => show.fail("what was shown was a thought"),
      });
      entry.holds = answer.thoughtUnopened;
      const said = JSON.stringify([answer.text, answer.calls]);
      count("answered", await spend(entry, request, { end: "answered", startedAt, told: answer.usage, written: said }));
      return { kind: "answer", answer };
    } catch (error) {
      // A server that had begun has worked for it, even when the answer was lost.
      const end = request.signal.aborted ? "stopped" : "failed";
      const hasWorked = written !== "" || end === "stopped";
      const usage = hasWorked ? await spend(entry, request, { end, startedAt, told: noUsage, written }) : noUsage;
      if (end === "stopped" || listener.fault !== undefined) count("stopped", usage);
      // Neither a stopped turn nor a fault of the one who listens is a failure of the model.
      request.signal.throwIfAborted();
      if (listener.fault !== undefined) throw error;
      const failure = classifyFailure(error, { model: entry.reference, now: clock.now(), scrub });
      count(failure.kind, usage);
      return { kind: "failure", error, failure, hasBegun: written !== "" };
    }
  }
}

/** A model that takes no pictures is not offered one in each round. */
const refusalKeptMs = 10 * 60_000;

/** Servers are updated, and a fault may have been one of a moment. */
const quirksKeptMs = 24 * 3_600_000;

/** The pictures, sounds or documents of a request may be what was refused. A 404 or 500 has to name them. */
function mayBeAboutParts(refusal: ServerRefusal): boolean {
  if (isOfModel(refusal) || isOfAccount(refusal)) return false;
  if ([400, 413, 415, 422].includes(refusal.status)) return true;
  const isNamed = /image|vision|picture|audio|mmproj|multi.?modal|\bfile\b|document|图片|图像/i.test(refusal.message);
  return [404, 500, 501].includes(refusal.status) && isNamed;
}

const noUsage = { input: 0, output: 0, cachedInput: 0 };

type Attempt =
  | { readonly kind: "answer"; readonly answer: CollectedAnswer }
  | { readonly kind: "failure"; readonly error: unknown; readonly failure: ModelFailure; readonly hasBegun: boolean };

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

/** A server that takes more loses nothing; one that takes less cuts off the beginning, which is the persona. */
const defaultContext = 32_000;

function findContext(reference: ModelReference): number {
  if (reference.provider === "offline") return defaultContext;
  return modelProviders[reference.provider].contextTokens?.(reference.name) ?? defaultContext;
}

/** Its answers may begin within a thought, as those of thinking models do where the server's template opens it. */
function mayThinkUnopened(reference: ModelReference): boolean {
  if (reference.provider === "offline" || reference.provider === "anthropic") return false;
  return /\br1\b|qwq|think|reason|qwen-?3|magistral|deepseek-v[3-9]/i.test(reference.name);
}

function nameSource(reference: ModelReference, credentials: ModelCredentials): string {
  const name = formatModelReference(reference);
  const baseUrl = reference.provider === "offline" ? undefined : credentials[reference.provider]?.baseUrl;
  const host = baseUrl === undefined ? undefined : URL.parse(baseUrl)?.host;
  return host === undefined ? name : `${name}@${host}`;
}

/** Imports what the model needs on first use. */
async function loadModel(
  model: ModelReference,
  credentials: ModelCredentials,
  phrases: (session: string) => OfflinePhrases,
): Promise<ModelClient> {
  if (model.provider === "offline") {
    const { createOfflineClient } = await import("./offline/offline-client.ts");
    return createOfflineClient(phrases);
  }
  return modelProviders[model.provider].load(model.name, credentials[model.provider] ?? {});
}
