import type { Kysely } from "kysely";
import type { ConversationMessage } from "../../core/conversation.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import { toPersonId } from "../../channels/session-id.ts";
import { listLogChatNames, listLogSenderNames } from "../../features/chatlog/queries/log-overview.ts";
import type { Database } from "../../store/schema/database.ts";
import { findNames } from "../../store/queries/people.ts";
import type { ListedSession } from "../../store/queries/session-list.ts";

export const maxName = 80;
const maxThread = 24;

type NamedSession = Pick<ListedSession, "chat" | "id" | "kind" | "platform" | "thread"> &
  Partial<Pick<ListedSession, "last">>;

/** The text on one line, with its hidden characters made visible, of at most `maxLength` characters. */
export function toLine(text: string, maxLength: number): string {
  // More than is kept, so that a long text costs no more than a short one.
  const line = makeVisible(
    text
      .slice(0, maxLength * 4)
      .replaceAll(/\s+/g, " ")
      .trim()
      .toWellFormed(),
  );
  return line.length > maxLength ? `${line.slice(0, maxLength - 1).toWellFormed()}…` : line;
}

/** The title of a group, the name of the person of a private chat; else the platform's own id. */
export async function nameSessions(
  db: Kysely<Database>,
  sessions: readonly NamedSession[],
): Promise<ReadonlyMap<string, string>> {
  const people = sessions.filter(({ kind }) => kind === "private").map(toPerson);
  const [titles, admitted, senders] = await Promise.all([
    listLogChatNames(
      db,
      sessions.map(({ id }) => id),
    ),
    findNames(db, people),
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

/** The other person of a private chat. */
export function toPerson({ chat, platform }: Pick<ListedSession, "chat" | "platform">): string {
  return toPersonId(platform, chat.replace(/^private:/, ""));
}
