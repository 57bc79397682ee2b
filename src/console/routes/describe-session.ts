import type { Kysely } from "kysely";
import type { Language } from "../../core/conversation.ts";
import { wordsFor } from "../../core/words/words.ts";
import { listLastHeard } from "../../features/chatlog/queries/log-overview.ts";
import type { Database } from "../../store/schema/database.ts";
import type { ListedSession, SessionWork } from "../../store/queries/session-list.ts";
import { maxName, nameSessions, toLine } from "../names/name-sessions.ts";
import type { SessionView } from "../views/chats-views.ts";

const maxWords = 120;

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
  return (Object.hasOwn(names, tool) ? names[tool] : undefined) ?? toLine(tool, maxName);
}
