import type { Kysely } from "kysely";
import type { ConversationMessage, Language } from "../../core/conversation.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import { wordsFor } from "../../core/words/words.ts";
import { toPersonId } from "../../channels/session-id.ts";
import { listLastHeard, listLogChatNames, listLogSenderNames } from "../../features/chatlog/queries/log-overview.ts";
import type { Database } from "../../store/schema/database.ts";
import { listPersonNames, type ListedSession, type SessionWork } from "../../store/queries/session-list.ts";
import type { SessionView } from "../views/chats-views.ts";

const maxName = 80;
const maxWords = 120;
const maxThread = 24;

/** One line, visible, cut. */
export function toLine(text: string, most: number): string {
  // More than is kept, so that a long text costs no more than a short one.
  const line = makeVisible(
    text
      .slice(0, most * 4)
      .replaceAll(/\s+/g, " ")
      .trim()
      .toWellFormed(),
  );
  return line.length > most ? `${line.slice(0, most - 1).toWellFormed()}…` : line;
}

/** These conversations as the list shows them, in their order. */
export async function describeSessions(
  db: Kysely<Database>,
  sessions: readonly ListedSession[],
  works: ReadonlyMap<string, SessionWork>,
  language: Language,
): Promise<readonly SessionView[]> {
  const silent = sessions.filter(({ last }) => last === undefined).map(({ id }) => id);
  const [names, heard] = await Promise.all([nameSessions(db, sessions), listLastHeard(db, silent)]);
  return sessions.map((session) => {
    const work = works.get(session.id);
    const said = heard.get(session.id);
    const isOnlyHeard = session.last === undefined && said !== undefined;
    return {
      id: session.id,
      name: names.get(session.id) ?? session.id,
      platform: session.platform,
      kind: findKind(session),
      lastAt: session.last?.at ?? said?.at ?? session.createdAt,
      ...(isOnlyHeard
        ? { words: toLine(said.text, maxWords), speaker: toLine(said.name, maxName), onlyHeard: true as const }
        : findWords(session, work, language)),
      state: (work?.open ?? 0) > 0 ? "waits" : work?.isWorking === true ? "working" : "none",
      open: work?.open ?? 0,
    };
  });
}

function findKind({ kind, platform }: ListedSession): SessionView["kind"] {
  if (platform === "cli") return "terminal";
  if (platform === "api" || platform === "console") return platform;
  return kind;
}

/** The call that waits, else the last words. */
function findWords(
  { kind, last }: ListedSession,
  work: SessionWork | undefined,
  language: Language,
): Pick<SessionView, "words" | "speaker"> {
  if (work?.asked) {
    const { summary, tool } = work.asked;
    return { words: toLine(`${nameTool(tool, language)} ${summary}`, maxWords) };
  }
  if (last === undefined || last.message.role === "tool" || last.message.role === "note") return { words: "" };
  const { message } = last;
  return {
    words: toLine(message.text, maxWords),
    ...(message.role === "user" && kind === "group" && { speaker: toLine(message.senderName, maxName) }),
  };
}

/** The name that people give a tool; the name itself for those of servers and skills. */
export function nameTool(tool: string, language: Language): string {
  const names: Readonly<Record<string, string>> = wordsFor(language).toolNames;
  return names[tool] ?? toLine(tool, maxName);
}

/** The title of a group, the name of the person of a private chat; else the platform's own id. */
export async function nameSessions(
  db: Kysely<Database>,
  sessions: readonly Pick<ListedSession, "chat" | "id" | "kind" | "last" | "platform" | "thread">[],
): Promise<ReadonlyMap<string, string>> {
  const people = sessions.filter(({ kind }) => kind === "private").map(toPerson);
  const [titles, admitted, senders] = await Promise.all([
    listLogChatNames(
      db,
      sessions.map(({ id }) => id),
    ),
    listPersonNames(db, people),
    listLogSenderNames(db, people),
  ]);
  return new Map(
    sessions.map((session) => {
      const { chat, id, kind, last, platform, thread } = session;
      const person = toPerson(session);
      const own =
        kind === "group"
          ? titles.get(id)
          : admitted.get(person) ||
            senders.get(person) ||
            (platform === "cli" ? undefined : nameSpeaker(last?.message));
      const name = own === undefined || own === "" ? chat : own;
      return [id, toLine(thread === null ? name : `${name} · ${thread.slice(0, maxThread)}`, maxName)];
    }),
  );
}

const nameSpeaker = (message: ConversationMessage | undefined): string | undefined =>
  message?.role === "user" ? message.senderName : undefined;

function toPerson({ chat, platform }: Pick<ListedSession, "chat" | "platform">): string {
  return toPersonId(platform, chat.replace(/^private:/, ""));
}
