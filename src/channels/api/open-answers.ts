import type { Logger } from "pino";
import { sleep } from "../../core/abort.ts";
import type { Clock } from "../../core/clock.ts";
import { describeError } from "../../core/errors.ts";
import type { Store } from "../../store/open-store.ts";
import { hasTurnAtWork, isAnswerAtWork, listPendingCauses, putBackSent } from "../../store/queries/api-requests.ts";
import { toSessionId } from "../session-id.ts";
import type { LiveView, OutboundMessage } from "../types.ts";
import { createAnswerWriter, type AnswerPiece, type AnswerWriter } from "./answer-writer.ts";
import type { ApiPace } from "./api-pace.ts";

/** stopped = the process ends first; left = the client went away. */
type AnswerEnd =
  | { readonly kind: "answered"; readonly finish: "stop" | "length" }
  | { readonly kind: "stopped" }
  | { readonly kind: "left" };

/** An earlier message; without an id it is several messages. */
export interface SaidEarlier {
  readonly id?: string;
  readonly text: string;
}

/** A request that waits for its answer. */
export interface OpenAnswer {
  /** Its message is stored: from now on it also takes what waited for a client. */
  wait(earlier: readonly SaidEarlier[]): void;
  /**
   * The client went away. The turn goes on, and its result is kept for the next request, together with the messages of
   * a response that was not written; a stream has delivered its own. Resolves when they are kept.
   */
  leave(isWritten?: boolean): Promise<void>;
  readonly ended: Promise<AnswerEnd>;
  readonly text: () => string;
}

interface NewAnswer {
  readonly session: string;
  /** The inbox row of its message. */
  readonly cause: string;
  readonly isStreamed: boolean;
  /** Milliseconds; absent means no limit. */
  readonly limitMs?: number;
  /** Said when the time has passed. */
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
  /** Files that it was given, as text: the outbox has them no more. */
  readonly files: string[];
  /** The turns that answer it. */
  readonly turns: Set<string>;
  look: () => void;
}

export interface OpenAnswers {
  readonly count: (session?: string) => number;
  open(wanted: NewAnswer): OpenAnswer;
  /** Files that a client that went away did not get any more; they are given once. */
  takeLeft(session: string): readonly string[];
  /** Whether the request that the message answers waits here, or none does anywhere. */
  hasAsker(message: OutboundMessage): boolean;
  /** False when no request waits there. */
  deliver(message: OutboundMessage, text: string): boolean;
  /** False when no client is watching. */
  show(view: LiveView): boolean;
  stop(): Promise<void>;
}

/** Characters of files kept in memory for clients that left; further files are not kept. */
const maxLeft = 64 * 1024 * 1024;
/** The outbox writes a message down as sent a moment after it was given. */
const putBackTries = 100;

/**
 * The requests that wait. The store shows when an answer is whole: nothing works on it any more, and everything that
 * was said is recorded as sent. So a client that answers at once finds the question recorded as shown.
 */
export function createOpenAnswers(parts: {
  readonly store: Pick<Store, "main">;
  /** Whether a preview of the session's calls is running; its result is a message of its own. */
  readonly isPreviewRunning: (session: string) => boolean;
  readonly pace: ApiPace;
  readonly clock: Clock;
  readonly log: Logger;
}): OpenAnswers {
  const { store, pace, clock, log } = parts;
  const open = new Set<Waiting>();
  const left = new Map<string, string[]>();

  const listHere = (session: string) => [...open].filter((one) => one.session === session);

  function finish(answer: Waiting, end: AnswerEnd): void {
    if (!open.delete(answer)) return;
    answer.over.abort();
    answer.end(end);
  }

  /** Keeps the words of a response that no client received. */
  async function putBack(answer: Waiting): Promise<void> {
    const { files, heard, session } = answer;
    const size = [...left.values()].flat().reduce((sum, text) => sum + text.length, 0);
    const added = files.reduce((sum, text) => sum + text.length, 0);
    if (files.length > 0 && size + added <= maxLeft) left.set(session, [...(left.get(session) ?? []), ...files]);
    const gotByOthers = new Set(listHere(session).flatMap((other) => [...other.heard]));
    const missing = new Set([...heard].filter((id) => !gotByOthers.has(id)));
    for (let tries = 0; missing.size > 0 && tries < putBackTries; tries += 1) {
      if (tries > 0) await new Promise((resolve) => setTimeout(resolve, pace.quickMs));
      for (const id of await putBackSent(store.main, [...missing])) missing.delete(id);
    }
  }

  async function leave(answer: Waiting, isWritten: boolean): Promise<void> {
    finish(answer, { kind: "left" });
    if (answer.isStreamed || isWritten) return;
    try {
      await putBack(answer);
    } catch (error) {
      log.warn({ reason: describeError(error) }, "the words of a lost answer could not be put back");
    }
  }

  async function isAtWork({ cause, expectsMore, isQuestion, session, writer }: Waiting): Promise<boolean> {
    if (isQuestion) return false;
    if (await isAnswerAtWork(store.main, session, cause)) return true;
    if (expectsMore && parts.isPreviewRunning(session)) return true;
    // Its words were taken by work in progress for an earlier request, such as the form of a call.
    return writer.text() === "" && (await hasTurnAtWork(store.main, session));
  }

  async function isComing(answer: Waiting): Promise<boolean> {
    // The work is looked at before its messages: work that ends in between has stored them by then.
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
        files: [],
        turns: new Set(),
        writer,
        end,
        over: new AbortController(),
      };
      open.add(answer);
      return {
        wait(earlier) {
          for (const { id, text } of earlier) {
            if (id !== undefined && answer.heard.has(id)) continue;
            writer.addMessage(text, undefined);
            if (id !== undefined) answer.heard.add(id);
          }
          answer.isStored = true;
          limit(answer);
          void watchPatiently(answer);
        },
        leave: (isWritten = false) => leave(answer, isWritten),
        ended,
        text: writer.text,
      };
    },

    takeLeft(session) {
      const files = left.get(session) ?? [];
      left.delete(session);
      return files;
    },

    hasAsker({ cause, turn }) {
      const here = [...open];
      if (cause?.startsWith("api:") === true) return here.some((one) => one.cause === cause);
      return turn === undefined || here.some(({ turns }) => turns.has(turn));
    },

    deliver(message, text) {
      const here = listHere(toSessionId(message.address));
      const own = here.filter(({ cause }) => cause === message.cause);
      const takers = own.length > 0 ? own : here.filter(({ isStored }) => isStored).slice(0, 1);
      for (const taker of takers) {
        // It was put back although this one had it.
        if (taker.heard.has(message.id)) continue;
        taker.writer.addMessage(text, message.turn);
        if (message.file) taker.files.push(text);
        else taker.heard.add(message.id);
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

    async stop() {
      const ended = [...open];
      for (const answer of ended) finish(answer, { kind: "stopped" });
      // The clients are asked to try again.
      for (const answer of ended) await leave(answer, false);
    },
  };
}

/** A question of its turn or of a sub-agent; or the form of an MCP server, which a call shows that waits for it. */
function asks({ cause, partial, question, turn }: OutboundMessage, answer: Waiting): boolean {
  if (question) return cause === answer.cause;
  return partial === true && cause === undefined && turn !== undefined && answer.turns.has(turn);
}
