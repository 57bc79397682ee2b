import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import type { Language } from "../../core/conversation.ts";
import { consolePlatform } from "../../core/own-platforms.ts";
import { findSessionsNamed } from "../../features/chatlog/queries/log-overview.ts";
import { listAllLogChats } from "../../features/chatlog/queries/chat-log-people.ts";
import { readLogMessages } from "../../features/chatlog/queries/chat-log.ts";
import { readMode } from "../../kernel/gate/session-mode.ts";
import type { Store } from "../../store/open-store.ts";
import {
  findListedSessions,
  listPlatforms,
  listSessionsByActivity,
  listWorkingSessions,
  type ListCursor,
  type ListedSession,
} from "../../store/queries/session-list.ts";
import { findWholeSession, type WholeSession } from "../../store/queries/sessions.ts";
import { countOfSession, findNewestTurn, findPositionAt, readStretch } from "../../store/queries/transcript.ts";
import { findLanguage } from "../door/find-language.ts";
import { refuse, type ConsoleContext, type Route } from "../door/guard.ts";
import { findOwnRows, isOwnSession } from "../door/own-rows.ts";
import type { ConsoleLogin } from "../../store/queries/console-sessions.ts";
import type { MessagesView, SessionsView, WholeSessionView } from "../views/chats-views.ts";
import { describeCall, describeMessages } from "./describe-messages.ts";
import { describeSessions } from "./describe-session.ts";

export interface ChatsParts {
  readonly store: Pick<Store, "main">;
  readonly language: () => Language;
  readonly clock: Clock;
}

const pageSize = 50;
const maxText = 100;
/** Around a hit of the search, to find its message by its words. */
const near = 15;

const number = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const place = z.strictObject({
  before: number.optional(),
  after: number.optional(),
  around: number.optional(),
  hit: number.optional(),
});

/** The owner's own chats, which exist before their first message. */
const ownChat = /^console:local:([\w-]{1,40})$/;

/** The conversations with their messages: all for an owner, their own private ones for a member. */
export function listChatsRoutes(parts: ChatsParts): readonly Route[] {
  const { clock, store } = parts;
  const db = store.main;

  async function readSession(context: ConsoleContext, login: ConsoleLogin): Promise<WholeSession | undefined> {
    const id = context.req.param("id") ?? "";
    return isOwnSession(await findOwnRows(db, login), id) ? findWholeSession(db, id) : undefined;
  }

  /** The name of one of the owner's own chats that has no message yet. */
  const findNewChat = (context: ConsoleContext, login: ConsoleLogin): string | undefined =>
    login.role === "owner" ? ownChat.exec(context.req.param("id") ?? "")?.[1] : undefined;

  /** The place of a message of the chat log in the conversation, as near as there is one. */
  async function findHit(session: WholeSession, hit: number): Promise<number | undefined> {
    const chats = (await listAllLogChats(db)).filter((chat) => chat.session === session.id).map(({ id }) => id);
    const [said] = await readLogMessages(db, chats, [hit]);
    if (said === undefined) return undefined;
    const found = await findPositionAt(db, session, said.saidAt);
    const rows = await readStretch(db, session.id, { from: found - near, upTo: found + near });
    const start = said.text.slice(0, maxText);
    const same = rows
      .filter(({ message }) => "text" in message && message.text.includes(start))
      .toSorted((one, other) => Math.abs(one.position - found) - Math.abs(other.position - found));
    return same[0]?.position ?? Math.max(1, found);
  }

  return [
    {
      method: "GET",
      path: "/sessions",
      role: "self",
      async answer(context, login) {
        const cursor = readCursor(context.req.query("cursor"));
        if (cursor === undefined) return refuse(context, 400, "There is no such page.");
        const text = context.req.query("q")?.trim().slice(0, maxText) || undefined;
        const platform = context.req.query("platform") || undefined;
        const isFirst = context.req.query("cursor") === undefined;
        const rows = await findOwnRows(db, login);
        const works = await listWorkingSessions(db);
        const named = text === undefined ? [] : await findSessionsNamed(db, text, pageSize);
        const found = await listSessionsByActivity(db, cursor, {
          platform,
          text,
          named,
          ...(rows.kind === "own" && { only: rows.sessions }),
          limit: pageSize + 1,
        });
        const page = found.slice(0, pageSize);
        // A conversation that waits or is being worked on is on the first page, however long ago its last message was.
        const busy =
          isFirst && text === undefined
            ? (await findListedSessions(db, [...works.keys()])).filter(
                (one) =>
                  isOwnSession(rows, one.id) &&
                  (platform === undefined || one.platform === platform) &&
                  !page.some(({ id }) => id === one.id),
              )
            : [];
        const next = found.length > pageSize ? writeCursor(page.at(-1)) : undefined;
        const language = findLanguage(context, parts.language());
        const view: SessionsView = {
          now: clock.now(),
          items: await describeSessions(db, [...busy, ...page], works, language),
          ...(next !== undefined && { next }),
          ...(isFirst && { platforms: rows.kind === "all" ? await listPlatforms(db) : listPlatformsOf(rows.sessions) }),
        };
        return context.json(view);
      },
    },
    {
      method: "GET",
      path: "/sessions/:id",
      role: "self",
      async answer(context, login) {
        const session = await readSession(context, login);
        const own = findNewChat(context, login);
        if (session === undefined && own !== undefined)
          return context.json(describeNewChat(own, clock.now(), parts.language()));
        if (session === undefined) return refuse(context, 404, "There is no such conversation.");
        const [listed, works, counts, turn] = await Promise.all([
          findListedSessions(db, [session.id]),
          listWorkingSessions(db, session.id),
          countOfSession(db, session, clock.now()),
          findNewestTurn(db, session),
        ]);
        const [shown] = await describeSessions(db, listed, works, findLanguage(context, parts.language()));
        if (shown === undefined) return refuse(context, 404, "There is no such conversation.");
        const view: WholeSessionView = {
          ...shown,
          ...counts,
          mode: readMode(session.mode).kind,
          language: session.language,
          total: session.last_position,
          // A turn shows its cost, which is for the owner alone.
          ...(turn !== undefined && login.role === "owner" && { turn }),
          own: session.platform === consolePlatform,
        };
        return context.json(view);
      },
    },
    {
      method: "GET",
      path: "/sessions/:id/messages",
      role: "self",
      async answer(context, login) {
        const session = await readSession(context, login);
        if (session === undefined && findNewChat(context, login) !== undefined)
          return context.json({ rows: [], first: 1, last: 0, total: 0, start: 0 } satisfies MessagesView);
        if (session === undefined) return refuse(context, 404, "There is no such conversation.");
        const asked = place.safeParse(context.req.query());
        if (!asked.success || Object.keys(asked.data).length > 1)
          return refuse(context, 400, "One of before, after, around and hit is a position.");
        const { hit } = asked.data;
        const at = hit === undefined ? asked.data.around : await findHit(session, hit);
        if (hit !== undefined && at === undefined) return refuse(context, 404, "There is no such message.");
        const total = session.last_position;
        const { from, upTo } = findStretch({ ...asked.data, around: at }, total);
        const language = findLanguage(context, parts.language());
        const view: MessagesView = {
          rows: await describeMessages(db, session, { from, upTo }, language),
          first: from + 1,
          last: upTo,
          total,
          start: session.start_position,
          ...(at !== undefined && { at: Math.min(at, total) }),
        };
        return context.json(view);
      },
    },
    {
      method: "GET",
      path: "/sessions/:id/messages/:position/calls/:call",
      role: "self",
      async answer(context, login) {
        const session = await readSession(context, login);
        const position = number.safeParse(context.req.param("position"));
        const view =
          session && position.success
            ? await describeCall(db, session.id, position.data, context.req.param("call") ?? "")
            : undefined;
        return view === undefined ? refuse(context, 404, "There is no such call.") : context.json(view);
      },
    },
  ];
}

const listPlatformsOf = (sessions: readonly string[]): readonly string[] =>
  [...new Set(sessions.map((session) => session.split(":")[0] ?? ""))].toSorted();

function describeNewChat(name: string, now: number, language: Language): WholeSessionView {
  return {
    id: `${consolePlatform}:local:${name}`,
    name,
    platform: consolePlatform,
    kind: "console",
    lastAt: now,
    words: "",
    state: "none",
    open: 0,
    mode: "act",
    language,
    total: 0,
    branch: 1,
    branches: 1,
    grants: 0,
    own: true,
  };
}

/** At most a page of positions: those before one, those after one, those around one, or the newest. */
function findStretch(
  { after, around, before }: { after?: number | undefined; around?: number | undefined; before?: number | undefined },
  total: number,
): { readonly from: number; readonly upTo: number } {
  const upTo = Math.min(
    total,
    after !== undefined
      ? after + pageSize
      : before !== undefined
        ? Math.max(0, before - 1)
        : around !== undefined
          ? Math.max(pageSize, around + pageSize / 2)
          : total,
  );
  return { from: after === undefined ? Math.max(0, upTo - pageSize) : Math.min(after, upTo), upTo };
}

function readCursor(cursor: string | undefined): ListCursor | undefined {
  if (cursor === undefined) return { kind: "spoken", before: Number.MAX_SAFE_INTEGER };
  if (cursor.startsWith("s:")) return { kind: "silent", after: cursor.slice(2) };
  const before = number.safeParse(cursor);
  return before.success ? { kind: "spoken", before: before.data } : undefined;
}

function writeCursor(last: ListedSession | undefined): string | undefined {
  return last && (last.last === undefined ? `s:${last.id}` : String(last.last.id));
}
