import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import { listAllLogChats, listLogSenders } from "../../features/chatlog/queries/chat-log-people.ts";
import { searchLog } from "../../features/chatlog/queries/chat-log-search.ts";
import type { LogChat, LogMessage } from "../../features/chatlog/queries/chat-log.ts";
import { findLogStart } from "../../features/chatlog/queries/log-overview.ts";
import { rankLog } from "../../features/chatlog/rank-log.ts";
import type { Store } from "../../store/open-store.ts";
import { findListedSessions } from "../../store/queries/session-list.ts";
import { foldText } from "../../store/search/fold-text.ts";
import { refuse, type Route } from "../door/guard.ts";
import { findOwnRows, isOwnSession } from "../door/own-rows.ts";
import type { HitsView, HitView } from "../views/chats-views.ts";
import { maxName, nameSessions, toLine } from "../names/name-sessions.ts";

export interface SearchParts {
  readonly store: Pick<Store, "main">;
  readonly zone: () => string;
  readonly clock: Clock;
}

const maxHits = 50;
const maxWords = 8;
/** Characters of a snippet, and how many of them come before the first found word. */
const snippet = { whole: 160, before: 40 } as const;

const moment = z.coerce.number().int().min(0).optional();
const asked = z.strictObject({
  q: z.string().max(200),
  /** A session. */
  chat: z.string().max(300).optional(),
  /** A part of a name, or an account. */
  who: z.string().max(100).optional(),
  from: moment,
  to: moment,
});

/** The chat log of every chat for an owner, that of their own private ones for a member. */
export function listSearchRoutes({ clock, store, zone }: SearchParts): readonly Route[] {
  const db = store.main;

  async function findSenders(chats: readonly number[], who: string): Promise<readonly number[]> {
    const wanted = foldText(who);
    const all = await listLogSenders(db, chats);
    return all.filter(({ name, person }) => foldText(name).includes(wanted) || person === who).map(({ id }) => id);
  }

  return [
    {
      method: "GET",
      path: "/search",
      role: "self",
      async answer(context, login) {
        const given = asked.safeParse(context.req.query());
        if (!given.success) return refuse(context, 400, "The words to look for are missing or too long.");
        const { chat, from, q, to, who } = given.data;
        const words = q.split(/\s+/).filter((word) => word !== "");
        const searched = words.slice(0, maxWords);
        const rows = await findOwnRows(db, login);
        const isOwn = (session: string | null) =>
          rows.kind === "all" || (session !== null && isOwnSession(rows, session));
        const all = (await listAllLogChats(db)).filter(
          ({ session }) => isOwn(session) && (chat === undefined || session === chat),
        );
        const chats = all.map(({ id }) => id);
        const since = rows.kind === "all" ? await findLogStart(db) : undefined;
        const senders = who === undefined ? undefined : await findSenders(chats, who);
        const narrowed = {
          ...(senders && { senders }),
          ...(from !== undefined && { from }),
          ...(to !== undefined && { to }),
        };
        const found = await searchLog(db, { chats, all: searched, ...narrowed, limit: maxHits });
        // A question has words that no answer has. The ranking knows neither senders nor times.
        const isNear = found.length === 0 && searched.length > 0 && Object.keys(narrowed).length === 0;
        const ranked = isNear ? await rankLog(db, chats, q, { limit: maxHits, now: clock.now(), zone: zone() }) : [];
        const messages = isNear ? ranked.map(({ message }) => message) : found;
        const view: HitsView = {
          items: await describeHits(messages, all, searched),
          by: isNear && messages.length > 0 ? "near" : "words",
          searched: {
            words: searched.map((word) => makeVisible(word)),
            chats: chats.length,
            ...(since !== undefined && { since }),
          },
        };
        return context.json(view);
      },
    },
  ];

  async function describeHits(
    messages: readonly LogMessage[],
    chats: readonly LogChat[],
    words: readonly string[],
  ): Promise<readonly HitView[]> {
    const places = new Map(chats.map((chat) => [chat.id, chat]));
    const sessions = messages.flatMap(({ chat }) => places.get(chat)?.session ?? []);
    const names = await nameSessions(db, await findListedSessions(db, [...new Set(sessions)]));
    return messages.map(({ chat: id, id: hit, role, saidAt: at, sender, text }) => {
      const chat = places.get(id);
      const session = chat?.session ?? undefined;
      return {
        hit,
        ...(session !== undefined && { session }),
        chat: (session === undefined ? undefined : names.get(session)) ?? toLine(chat?.name ?? "", maxName),
        who: role === "her" ? { kind: "her" } : { kind: "person", name: toLine(sender.name, maxName) },
        at,
        ...cutSnippet(text, words),
      };
    });
  }
}

/** The line around the first of the words, and where in it each of them is. */
function cutSnippet(text: string, words: readonly string[]): Pick<HitView, "text" | "marks"> {
  const wanted = words.map((word) => word.toLowerCase());
  const first = Math.max(
    0,
    Math.min(...wanted.map((word) => text.toLowerCase().indexOf(word)).filter((at) => at >= 0)),
  );
  const from = Number.isFinite(first) && first > snippet.before ? first - snippet.before : 0;
  const shown = toLine(`${from > 0 ? "…" : ""}${text.slice(from)}`, snippet.whole);
  const low = shown.toLowerCase();
  const found: (readonly [number, number])[] = [];
  for (const word of low.length === shown.length ? wanted : [])
    for (let at = low.indexOf(word); at >= 0; at = low.indexOf(word, at + word.length))
      found.push([at, at + word.length]);
  const marks: (readonly [number, number])[] = [];
  for (const mark of found.toSorted(([one], [other]) => one - other))
    if (mark[0] >= (marks.at(-1)?.[1] ?? 0)) marks.push(mark);
  return { text: shown, marks };
}
