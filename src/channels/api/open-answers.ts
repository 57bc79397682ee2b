import type { Logger } from "pino";
import { sleep } from "../../core/abort.ts";
import type { Clock } from "../../core/clock.ts";
import { describeError } from "../../core/errors.ts";
import type { Store } from "../../store/open-store.ts";
import { hasTurnAtWork, isAnswerAtWork, isPreviewAtWork, listPendingCauses } from "../../store/queries/api-requests.ts";
import { toSessionId } from "../session-id.ts";
import type { LiveView, OutboundMessage } from "../types.ts";
import { createAnswerWriter, type AnswerPiece, type AnswerWriter } from "./answer-writer.ts";
import type { ApiPace } from "./api-pace.ts";

/** stopped = the process ends first; left = the client went away. */
type AnswerEnd =
  | { readonly kind: "answered"; readonly finish: "stop" | "length" }
  | { readonly kind: "stopped" }
  | { readonly kind: "left" };

/** What was sent before; without an id it is several messages. */
export interface SaidEarlier {
  readonly id?: string;
  readonly text: string;
}

/** A request that waits for its answer. */
export interface OpenAnswer {
  /** Its message is stored: from now on it also takes what waited for somebody to come. */
  wait(earlier: readonly SaidEarlier[]): void;
  /** The client went away: the turn goes on, and what comes of it waits for the next request. */
  leave(): void;
  readonly ended: Promise<AnswerEnd>;
  readonly text: () => string;
}

interface NewAnswer {
  readonly session: string;
  /** The inbox row of its message. */
  readonly cause: string;
  readonly isStreamed: boolean;
  /** Milliseconds; absent = as long as it takes. */
  readonly limitMs?: number;
  /** Said when the time is over. */
  readonly goesOn: string;
  /** Said when nothing else was. */
  readonly noAnswer: string;
  readonly onPiece: (piece: AnswerPiece) => void;
}

interface Waiting extends NewAnswer {
  readonly writer: AnswerWriter;
  readonly end: (end: AnswerEnd) => void;
  readonly over: AbortController;
  isStored: boolean;
  /** Its newest message was said on the way. */
  expectsMore: boolean;
  /** It asks something, and goes on only after the next request: sub-agents and calls ask while their turn waits. */
  isQuestion: boolean;
  /** Messages that it was given. */
  readonly heard: Set<string>;
  /** The turns that answer it. */
  readonly turns: Set<string>;
  look: () => void;
}

export interface OpenAnswers {
  readonly count: (session?: string) => number;
  open(wanted: NewAnswer): OpenAnswer;
  /** What a client that went away did not get any more; it is given once. */
  takeLeft(session: string): string | undefined;
  /** false = nobody waits there. */
  deliver(message: OutboundMessage, text: string): boolean;
  /** false = nobody watches. */
  show(view: LiveView): boolean;
  stop(): void;
}

/** Conversations whose last words are kept for a client that left. */
const mostLeft = 1_000;

/**
 * The requests that wait. The store tells when an answer is whole: nothing works on it any more, and everything that was
 * said is written down as sent. So a client that answers at once finds her question noted as shown.
 */
export function createOpenAnswers(parts: {
  readonly store: Pick<Store, "main">;
  readonly pace: ApiPace;
  readonly clock: Clock;
  readonly log: Logger;
}): OpenAnswers {
  const { store, pace, clock, log } = parts;
  const open = new Set<Waiting>();
  const left = new Map<string, string>();

  const listHere = (session: string) => [...open].filter((one) => one.session === session);

  function finish(answer: Waiting, end: AnswerEnd): void {
    if (!open.delete(answer)) return;
    answer.over.abort();
    answer.end(end);
  }

  async function isAtWork({ cause, expectsMore, isQuestion, session, writer }: Waiting): Promise<boolean> {
    if (isQuestion) return false;
    if (await isAnswerAtWork(store.main, session, cause)) return true;
    if (expectsMore && (await isPreviewAtWork(store.main, session))) return true;
    // Its words went to something that is at work for an earlier request, such as the form of a call.
    return writer.text() === "" && (await hasTurnAtWork(store.main, session));
  }

  async function isComing(answer: Waiting): Promise<boolean> {
    // First what works, then what it has said: what ends in between has left its words.
    if (await isAtWork(answer)) return true;
    return (await listPendingCauses(store.main, answer.session, clock.now())).length > 0;
  }

  async function watch(answer: Waiting): Promise<void> {
    const { signal } = answer.over;
    for (let quick = pace.quickLooks; !signal.aborted; quick -= 1) {
      const looked = Promise.withResolvers<void>();
      answer.look = () => {
        quick = pace.quickLooks;
        looked.resolve();
      };
      if (quick > 0) await sleep(pace.quickMs, signal);
      else await Promise.race([looked.promise, sleep(pace.lookMs, signal)]);
      if (signal.aborted || (await isComing(answer))) continue;
      // A preview begins a moment after it was announced.
      if (answer.expectsMore && quick > 0) continue;
      if (answer.writer.text() === "") answer.writer.addMessage(answer.noAnswer, undefined);
      finish(answer, { kind: "answered", finish: "stop" });
    }
  }

  /** A store that fails for a moment does not end an answer. */
  async function watchPatiently(answer: Waiting): Promise<void> {
    while (open.has(answer)) {
      try {
        await watch(answer);
      } catch (error) {
        log.warn({ reason: describeError(error) }, "an answer could not be looked for; it is tried again");
        await sleep(pace.lookMs, answer.over.signal);
      }
    }
  }

  function limit(answer: Waiting): void {
    const { goesOn, limitMs, over, writer } = answer;
    if (limitMs === undefined) return;
    const timer = setTimeout(() => {
      writer.addMessage(goesOn, undefined);
      finish(answer, { kind: "answered", finish: "length" });
    }, limitMs);
    over.signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  }

  return {
    count: (session) => (session === undefined ? open.size : listHere(session).length),

    open(wanted) {
      const { promise: ended, resolve: end } = Promise.withResolvers<AnswerEnd>();
      const writer = createAnswerWriter(wanted.onPiece);
      const state = { isStored: false, expectsMore: false, isQuestion: false, look: () => undefined };
      const answer: Waiting = {
        ...wanted,
        ...state,
        heard: new Set(),
        turns: new Set(),
        writer,
        end,
        over: new AbortController(),
      };
      open.add(answer);
      return {
        wait(earlier) {
          for (const { id, text } of earlier)
            if (id === undefined || !answer.heard.has(id)) writer.addMessage(text, undefined);
          answer.isStored = true;
          limit(answer);
          void watchPatiently(answer);
        },
        leave() {
          const text = writer.text();
          if (open.has(answer) && !answer.isStreamed && text !== "" && left.size < mostLeft)
            left.set(answer.session, text);
          finish(answer, { kind: "left" });
        },
        ended,
        text: writer.text,
      };
    },

    takeLeft(session) {
      const text = left.get(session);
      left.delete(session);
      return text;
    },

    deliver(message, text) {
      const here = listHere(toSessionId(message.address));
      const own = here.filter(({ cause }) => cause === message.cause);
      const takers = own.length > 0 ? own : here.filter(({ isStored }) => isStored).slice(0, 1);
      for (const taker of takers) {
        taker.writer.addMessage(text, message.turn);
        taker.heard.add(message.id);
        if (own.length > 0) taker.expectsMore = message.partial === true;
        if (asks(message, taker)) taker.isQuestion = true;
        taker.look();
      }
      return takers.length > 0;
    },

    show(view) {
      const waiting = listHere(toSessionId(view.address)).filter(({ cause }) => cause === view.cause);
      for (const { turns } of waiting) turns.add(view.turn);
      const watching = waiting.filter(({ isStreamed }) => isStreamed);
      for (const { writer } of watching) writer.addView(view);
      return watching.length > 0;
    },

    stop() {
      for (const answer of open) finish(answer, { kind: "stopped" });
    },
  };
}

/** A question of its turn or of a sub-agent; or the form of an MCP server, which a call shows that waits for it. */
function asks({ cause, partial, question, turn }: OutboundMessage, answer: Waiting): boolean {
  if (question) return cause === answer.cause;
  return partial === true && cause === undefined && turn !== undefined && answer.turns.has(turn);
}
