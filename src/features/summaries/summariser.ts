import type { Logger } from "pino";
import type { Clock } from "../../core/clock.ts";
import type { ConversationMessage, Language, Taint } from "../../core/conversation.ts";
import { describeError } from "../../core/errors.ts";
import { estimateMessageTokens, estimateTokens } from "../../core/estimate-tokens.ts";
import type { Models, Payer } from "../../models/types.ts";
import type { Store } from "../../store/open-store.ts";
import { measureMessages } from "../../store/queries/messages.ts";
import { findWholeSession, type WholeSession } from "../../store/queries/sessions.ts";
import {
  insertSummary,
  listLongResults,
  listSummaries,
  shortenMessage,
  type SummaryPlace,
} from "../../store/queries/summaries.ts";
import { readStretch, type PlacedMessage } from "../../store/queries/transcript.ts";
import { toModelJson } from "../../kernel/agent/model-text.ts";
import { labelPiece } from "../../kernel/agent/context/label-piece.ts";
import { listMustKeep } from "./must-keep.ts";
import { countMeasured, findKept, isTooLong, type ContextPlan } from "../../kernel/agent/context/plan-context.ts";
import { holdLine, writeRemarks } from "./write-remarks.ts";
import { askForSummary, fitPiece, type WrittenSummary } from "./write-summary.ts";

/** The person whose usage it counts as: the one who spoke last. */
export interface SummaryOrder {
  readonly session: string;
  readonly payer: Payer;
  readonly language: Language;
}

export interface Summariser {
  /**
   * Looks whether the older part of a conversation has to be summarised. If so, what may leave the window before that is
   * done can be found by its words from now on.
   */
  prepare(session: string): Promise<boolean>;
  /**
   * Writes one summary. Returns the position up to which the next ones go, which the next call is given; undefined = it
   * is up to date. Throws only faults of the store, and when `signal` fires.
   */
  work(order: SummaryOrder, signal: AbortSignal, upTo?: number): Promise<number | undefined>;
}

/** Keeps a result whole; undefined = the disk did not take it. `refused`: why it may not be kept. */
export type KeepWhole = (
  result: { readonly session: string; readonly turn: string; readonly taint: Taint; readonly text: string },
  call: string,
) => Promise<{ readonly path: string } | { readonly refused: string } | undefined>;

/** Messages that are read at once, and how many of them one summary covers. */
const maxRead = 200;
const maxOfPiece = 60;
/** A piece ends when it holds this much that must survive. */
const itemsOfPiece = 40;
/** Older pieces get an extract: summarising years of talk after an update would cost too much. */
const modelReach = 200;
/** The remarks that the end of a turn writes of an old conversation without summaries; the job writes the rest. */
const batchesOfTurn = 2;
/** Tokens from which an old result is shortened, and those of it that stay. */
const longResult = 400;
const shownOfResult = 150;
/** Results of the newest turns stay whole. */
const wholeTurns = 2;

export function createSummariser(parts: {
  readonly store: Pick<Store, "main">;
  readonly plan: (chosen: string | undefined) => ContextPlan;
  readonly models: () => Models;
  readonly keepWhole: KeepWhole;
  readonly clock: Clock;
  readonly log: Pick<Logger, "warn" | "info">;
}): Summariser {
  const { store, plan, clock, log } = parts;

  /** `all` = also where the newest summary is far back. */
  async function look(id: string, all = true) {
    const session = await findWholeSession(store.main, id);
    if (!session) return undefined;
    const { last_position: upTo, start_position: startPosition } = session;
    const [newest] = await listSummaries(store.main, id, { startPosition, upTo }, all);
    const covered = newest?.upTo ?? startPosition;
    const now = plan(session.model ?? undefined);
    const measured = await measureMessages(store.main, id, { from: covered, upTo }, countMeasured(now));
    return { session, newest, covered, measured, now };
  }

  async function work(order: SummaryOrder, signal: AbortSignal, upTo?: number): Promise<number | undefined> {
    let found = await look(order.session);
    if (found && upTo === undefined && isTooLong(found.measured, found.now)) {
      await shortenResults(order.session, found);
      found = await look(order.session);
    }
    if (!found || (upTo === undefined && !isTooLong(found.measured, found.now))) return undefined;
    // A conversation that was rewound in the meantime is shorter now.
    const target = Math.min(upTo ?? Number.POSITIVE_INFINITY, findKept(found.measured, found.now));
    if (found.covered >= target) return undefined;
    if (!(await writeRemarks(store.main, found.session, { from: found.covered, upTo: target }))) return undefined;
    signal.throwIfAborted();
    const next = await summariseNext(order, found.session, found.newest, target, signal);
    return next !== undefined && next < target ? target : undefined;
  }

  /**
   * Returns how far the new summary reaches; undefined if the conversation has moved to another branch in the meantime.
   */
  async function summariseNext(
    { language, payer, session: id }: SummaryOrder,
    at: WholeSession,
    newest: SummaryPlace | undefined,
    target: number,
    signal: AbortSignal,
  ): Promise<number | undefined> {
    const from = newest?.upTo ?? at.start_position;
    const stretch = { from, upTo: Math.min(target, from + maxRead) };
    const messages = await readLine(at, stretch);
    if (messages === undefined) return undefined;
    const { piece, summaries, summary: limit } = plan(at.model ?? undefined);
    const longest = Math.min(3 * limit, Math.floor(summaries / 2));
    const inGroup = at.chat_kind === "group";
    const cut = cutPiece(messages, piece, stretch.upTo === target);
    const fitting = fitPiece(cut, { limit, longest, inGroup });
    const last = fitting.piece.at(-1);
    if (last === undefined) return undefined;
    const isNear = fitting.isWhole && target - last.position < modelReach;
    const written = await write(fitting, { limit, language, payer, signal, inGroup, isNear });
    const { speakers, sources, taint } = labelPiece(fitting.piece);
    const place = {
      number: (newest?.number ?? 0) + 1,
      from,
      upTo: last.position,
      tokens: estimateTokens(written.text),
    };
    const stored = await store.main.transaction().execute(async (tx) => {
      if (!(await holdLine(tx, at))) return false;
      await insertSummary(tx, {
        session: id,
        branch: at.branch,
        ...written,
        ...place,
        startPosition: at.start_position,
        speakers,
        sources,
        taint,
        now: clock.now(),
      });
      return true;
    });
    return stored ? place.upTo : undefined;
  }

  /**
   * Returns undefined if the session is on another branch now. Read under the session's lock, so that no branch's words
   * get into another's.
   */
  function readLine(at: WholeSession, stretch: { readonly from: number; readonly upTo: number }) {
    return store.main.transaction().execute(async (tx) => {
      return (await holdLine(tx, at)) ? readStretch(tx, at.id, stretch) : undefined;
    });
  }

  async function write(
    { extract, keep, piece }: ReturnType<typeof fitPiece>,
    given: Parameters<typeof askForSummary>[3] & { readonly isNear: boolean },
  ): Promise<WrittenSummary> {
    const { isNear, signal } = given;
    const models = parts.models();
    let refused = 0;
    if (isNear && !models.offline) {
      try {
        const asked = await askForSummary(models, piece, keep, given);
        if (asked.written) return asked.written;
        ({ refused } = asked);
        log.info({ lost: refused }, "a summary had lost something; an extract takes its place");
      } catch (error) {
        signal.throwIfAborted();
        log.warn({ reason: describeError(error) }, "no model summed up; an extract takes its place");
      }
    }
    return { text: extract, model: null, refused };
  }

  /**
   * Long results of older turns: their beginning stays in the prompt, the whole is in the workspace unless it may not
   * be kept.
   */
  async function shortenResults(
    session: string,
    { covered, measured }: NonNullable<Awaited<ReturnType<typeof look>>>,
  ): Promise<void> {
    const asked = measured.filter(({ role }) => role === "user");
    const upTo = (asked[wholeTurns - 1]?.position ?? 1) - 1;
    const from = Math.max(covered, measured.at(-1)?.position ?? 0);
    for (const { id, message, taint, turn } of await listLongResults(store.main, session, { from, upTo }, longResult)) {
      const { callId, text } = message;
      const kept = await parts.keepWhole({ session, turn: turn ?? `m${id}`, taint, text }, callId);
      if (kept === undefined) continue;
      const rest = "path" in kept ? `file_read of ${kept.path} shows them` : `the rest is gone: ${kept.refused}`;
      const short: ConversationMessage = {
        ...message,
        text: toModelJson({
          ok: message.ok,
          beginning: cutTokens(text, shownOfResult),
          shortened: `${text.length} characters in all; ${rest}`,
        }),
      };
      await shortenMessage(store.main, id, { message: short, tokens: estimateMessageTokens(short) });
    }
  }

  return {
    work,
    async prepare(session) {
      const found = await look(session, false);
      if (found === undefined || !isTooLong(found.measured, found.now)) return false;
      const upTo = findKept(found.measured, found.now);
      await writeRemarks(store.main, found.session, { from: found.covered, upTo }, batchesOfTurn);
      return true;
    },
  };
}

/** Cuts a text to about `most` tokens. */
function cutTokens(text: string, most: number): string {
  const narrow = text.slice(0, 4 * most).toWellFormed();
  return estimateTokens(narrow) <= most ? narrow : text.slice(0, most).toWellFormed();
}

/** As many messages as one summary covers, whole turns where that can be. */
function cutPiece(messages: readonly PlacedMessage[], most: number, toTheEnd: boolean): readonly PlacedMessage[] {
  let tokens = 0;
  let items = 0;
  for (const [index, { message, tokens: own }] of messages.entries()) {
    const isFull = tokens + own > most || items > itemsOfPiece || index >= maxOfPiece;
    const isTurn = message.role === "user" || message.role === "note";
    if (index > 0 && ((isFull && isTurn) || tokens > 2 * most || index >= 2 * maxOfPiece))
      return messages.slice(0, index);
    tokens += own;
    items += listMustKeep([{ message }]).items.length;
  }
  if (toTheEnd) return messages;
  const begun = messages.findLastIndex(({ message }) => message.role === "user");
  return begun > 0 ? messages.slice(0, begun) : messages;
}
