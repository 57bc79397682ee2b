import type { Logger } from "pino";
import type { Clock } from "../../core/clock.ts";
import type { ConversationMessage, Language, Speaker, Taint } from "../../core/conversation.ts";
import { describeError } from "../../core/errors.ts";
import { estimateMessageTokens, estimateTokens } from "../../core/estimate-tokens.ts";
import { toSender } from "../../core/name-with-tag.ts";
import { joinSources, joinTaint } from "../../core/taint.ts";
import type { Models, Payer } from "../../models/types.ts";
import type { Store } from "../../store/open-store.ts";
import { measureMessages } from "../../store/queries/messages.ts";
import { insertRemarks, type Remark } from "../../store/queries/remarks.ts";
import { findSession, lockSession, type SessionRow } from "../../store/queries/sessions.ts";
import {
  insertSummary,
  listLongResults,
  listSummaries,
  readStretch,
  shortenMessage,
  type PlacedMessage,
  type SummaryPlace,
} from "../../store/queries/summaries.ts";
import { toModelJson } from "../model-text.ts";
import { findTerms } from "./find-terms.ts";
import { listMustKeep } from "./must-keep.ts";
import { countMeasured, findKept, isTooLong, type ContextPlan } from "./plan-context.ts";
import { splitSentences } from "./split-sentences.ts";
import { askForSummary, extractSummary, type WrittenSummary } from "./write-summary.ts";

/** Whose usage it counts as: of who spoke last. */
export interface SummaryOrder {
  readonly session: string;
  readonly payer: Payer;
  readonly language: Language;
}

export interface Summariser {
  /** The older part of a conversation has to be summarised. */
  isNeeded(session: string): Promise<boolean>;
  /** Brings it up to date. Throws only faults of the store, and when `signal` fires. */
  work(order: SummaryOrder, signal: AbortSignal): Promise<void>;
}

/** Keeps a result whole; answers where, or undefined when it could not. */
export type KeepWhole = (
  result: { readonly session: string; readonly turn: string; readonly taint: Taint; readonly text: string },
  call: string,
) => Promise<string | undefined>;

/** Messages that are read at once, and how many of them one summary covers. */
const mostRead = 200;
const mostOfPiece = 60;
/** A piece ends when it holds this much that must survive. */
const itemsOfPiece = 40;
/** What lies further behind gets an extract: nobody expects to pay for years of talk after an update. */
const modelReach = 200;
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
    const session = await findSession(store.main, id);
    if (!session) return undefined;
    const { last_position: upTo, start_position: startPosition } = session;
    const [newest] = await listSummaries(store.main, id, { startPosition, upTo }, all);
    const covered = newest?.upTo ?? startPosition;
    const now = plan(session.model ?? undefined);
    const measured = await measureMessages(store.main, id, { from: covered, upTo }, countMeasured(now));
    return { session, newest, covered, measured, now };
  }

  async function work(order: SummaryOrder, signal: AbortSignal): Promise<void> {
    const first = await look(order.session);
    if (!first || !isTooLong(first.measured, first.now)) return;
    await shortenResults(order.session, first);
    const then = await look(order.session);
    if (!then || !isTooLong(then.measured, then.now)) return;
    const target = findKept(then.measured, then.now);
    for (let newest = then.newest; (newest?.upTo ?? then.covered) < target;) {
      signal.throwIfAborted();
      const next = await summariseNext(order, then.session, newest, target, signal);
      if (next === undefined) return;
      newest = next;
    }
  }

  /** Answers where the new summary stands; undefined = people have gone on elsewhere meanwhile. */
  async function summariseNext(
    { language, payer, session: id }: SummaryOrder,
    at: SessionRow,
    newest: SummaryPlace | undefined,
    target: number,
    signal: AbortSignal,
  ): Promise<SummaryPlace | undefined> {
    const from = newest?.upTo ?? at.start_position;
    const stretch = { from, upTo: Math.min(target, from + mostRead) };
    const messages = await readLine(at, stretch);
    if (messages === undefined) return undefined;
    const { piece, summary: limit } = plan(at.model ?? undefined);
    const covered = cutPiece(messages, piece, stretch.upTo === target);
    const last = covered.at(-1);
    if (last === undefined) return undefined;
    const inGroup = at.chat_kind === "group";
    const keep = listMustKeep(covered, inGroup);
    const isNear = target - last.position < modelReach;
    const written = await write(covered, { keep, limit, language, payer, signal, inGroup, isNear });
    const { speakers, sources, taint } = labelPiece(covered);
    const place = {
      number: (newest?.number ?? 0) + 1,
      from,
      upTo: last.position,
      tokens: estimateTokens(written.text),
    };
    const stored = await store.main.transaction().execute(async (tx) => {
      await lockSession(tx, id);
      if (!isSameLine(await findSession(tx, id), at)) return false;
      const where = { session: id, branch: at.branch };
      await insertSummary(tx, {
        ...where,
        ...written,
        ...place,
        startPosition: at.start_position,
        speakers,
        sources,
        taint,
        now: clock.now(),
      });
      await insertRemarks(tx, where, listRemarks(covered));
      return true;
    });
    // Its id is of no use here.
    return stored ? { id: 0, ...place } : undefined;
  }

  /** undefined = they are on another line now. Read under the session's lock, so that no line's words get into another's. */
  function readLine(at: SessionRow, stretch: { readonly from: number; readonly upTo: number }) {
    return store.main.transaction().execute(async (tx) => {
      await lockSession(tx, at.id);
      return isSameLine(await findSession(tx, at.id), at) ? readStretch(tx, at.id, stretch) : undefined;
    });
  }

  async function write(
    piece: readonly PlacedMessage[],
    given: Parameters<typeof askForSummary>[3] & {
      readonly keep: ReturnType<typeof listMustKeep>;
      readonly isNear: boolean;
    },
  ): Promise<WrittenSummary> {
    const { inGroup, isNear, keep, limit, signal } = given;
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
    return { text: extractSummary(piece, keep, limit, inGroup), model: null, refused };
  }

  /** Long results of older turns: their beginning stays in the prompt, the whole lies in the workspace. */
  async function shortenResults(
    session: string,
    { covered, measured }: NonNullable<Awaited<ReturnType<typeof look>>>,
  ): Promise<void> {
    const asked = measured.filter(({ role }) => role === "user");
    const upTo = (asked[wholeTurns - 1]?.position ?? 1) - 1;
    const from = Math.max(covered, measured.at(-1)?.position ?? 0);
    for (const { id, message, taint, turn } of await listLongResults(store.main, session, { from, upTo }, longResult)) {
      const { callId, text } = message;
      const path = await parts.keepWhole({ session, turn: turn ?? `m${id}`, taint, text }, callId);
      if (path === undefined) continue;
      const short: ConversationMessage = {
        ...message,
        text: toModelJson({
          ok: message.ok,
          beginning: cutTokens(text, shownOfResult),
          shortened: `${text.length} characters in all; file_read of ${path} shows them`,
        }),
      };
      await shortenMessage(store.main, id, { message: short, tokens: estimateMessageTokens(short) });
    }
  }

  return {
    work,
    async isNeeded(session) {
      const found = await look(session, false);
      return found !== undefined && isTooLong(found.measured, found.now);
    },
  };
}

/** Characters for about so many tokens. */
function cutTokens(text: string, most: number): string {
  const narrow = text.slice(0, 4 * most).toWellFormed();
  return estimateTokens(narrow) <= most ? narrow : text.slice(0, most).toWellFormed();
}

function isSameLine(now: SessionRow | undefined, before: SessionRow): boolean {
  return now?.branch === before.branch && now.start_position === before.start_position;
}

/** As many messages as one summary covers, whole turns where that can be. */
function cutPiece(messages: readonly PlacedMessage[], most: number, toTheEnd: boolean): readonly PlacedMessage[] {
  let tokens = 0;
  let items = 0;
  for (const [index, { message, tokens: own }] of messages.entries()) {
    const isFull = tokens + own > most || items > itemsOfPiece || index >= mostOfPiece;
    const isTurn = message.role === "user" || message.role === "note";
    if (index > 0 && ((isFull && isTurn) || tokens > 2 * most || index >= 2 * mostOfPiece))
      return messages.slice(0, index);
    tokens += own;
    items += listMustKeep([{ message }]).items.length;
  }
  if (toTheEnd) return messages;
  const begun = messages.findLastIndex(({ message }) => message.role === "user");
  return begun > 0 ? messages.slice(0, begun) : messages;
}

const mostSpeakers = 50;

/** A summary is as bad as the worst it covers, and everybody whose words it holds is named with it. */
function labelPiece(piece: readonly PlacedMessage[]) {
  const speakers = new Map<string, Speaker>();
  for (const speaker of listSpeakers(piece).values()) {
    const { id, taint } = speaker;
    const before = speakers.get(id);
    speakers.set(id, { ...speaker, taint: joinTaint(taint, before?.taint ?? taint) });
  }
  return {
    taint: joinTaint("owner", ...piece.map(({ taint }) => taint)),
    sources: joinSources(...piece.map(({ message }) => ("sources" in message ? message.sources : undefined))),
    // With more than anybody can name it is a stranger's, whoever reads it.
    speakers:
      speakers.size > mostSpeakers ? [{ id: "*", name: "*", taint: "untrusted" as const }] : [...speakers.values()],
  };
}

/** By position: whose words a message is, or whose turn it was. A record outside of turns is nobody's. */
function listSpeakers(piece: readonly PlacedMessage[]): ReadonlyMap<number, Speaker> {
  const askers = new Map<string, Speaker>();
  const speakers = new Map<number, Speaker>();
  const findOwn = ({ message, taint }: PlacedMessage): Speaker | undefined => {
    const said = message.role === "user" ? message : message.role === "note" ? message.of : undefined;
    return said && { ...toSender(said), taint };
  };
  for (const placed of piece) {
    const own = findOwn(placed);
    if (own !== undefined && placed.turn !== null) askers.set(placed.turn, own);
  }
  for (const placed of piece) {
    const { position, taint, turn } = placed;
    const own = findOwn(placed);
    if (own !== undefined) speakers.set(position, own);
    else if (turn !== null) speakers.set(position, askers.get(turn) ?? { id: "", name: "", taint });
  }
  return speakers;
}

const leastLetters = 4;

/** What can be found later: each sentence of people, and of hers. */
function listRemarks(piece: readonly PlacedMessage[]): readonly (Remark & { readonly terms: readonly string[] })[] {
  const speakers = listSpeakers(piece);
  return piece.flatMap(({ at, message, position, taint }) => {
    if (message.role === "tool") return [];
    const speaker = speakers.get(position) ?? { id: "", name: "", taint };
    return splitSentences(message.text).flatMap((text) => {
      const terms = text.length < leastLetters ? [] : findTerms(text);
      return terms.length === 0 ? [] : [{ at, position, role: message.role, speaker, taint, terms, text }];
    });
  });
}
