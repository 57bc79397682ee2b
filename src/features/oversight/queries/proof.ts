import type { Kysely } from "kysely";
import type { ConversationMessage } from "../../../core/conversation.ts";
import type { Database } from "../../../store/schema/database.ts";
import { findWholeSession } from "../../../store/queries/sessions.ts";
import { selectMessages } from "../../../store/queries/current-line.ts";

/** The last answer on the line that people are on, since /new. */
export interface LastAnswer {
  readonly turn: string;
  readonly at: number;
  /** Calls whose results the model had when it answered; a D-Mail takes some away. */
  readonly calls: ReadonlySet<string>;
}

export async function findLastAnswer(db: Kysely<Database>, id: string): Promise<LastAnswer | undefined> {
  const session = await findWholeSession(db, id);
  if (!session) return undefined;
  const stretch = { from: session.start_position, upTo: session.last_position };
  const last = await selectMessages(db, id, stretch)
    .innerJoin("turns", "turns.id", "messages.turn")
    .select(["turns.id as turn", "messages.created_at as at"])
    .where("messages.role", "=", "assistant")
    .where("turns.outcome", "=", "replied")
    .orderBy("messages.position", "desc")
    .limit(1)
    .executeTakeFirst();
  if (!last) return undefined;
  const results = await selectMessages(db, id, stretch)
    .select("messages.content")
    .where("messages.turn", "=", last.turn)
    .where("messages.role", "=", "tool")
    .execute();
  const calls = results
    .map(({ content }) => JSON.parse(content) as ConversationMessage)
    .flatMap((message) => (message.role === "tool" ? message.callId : []));
  return { ...last, calls: new Set(calls) };
}
