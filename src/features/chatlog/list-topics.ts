import type { Kysely } from "kysely";
import type { LogMessage } from "./queries/chat-log.ts";
import { sampleLog } from "./queries/chat-log-sample.ts";
import type { Database } from "../../store/schema/database.ts";
import { dropQuotations } from "./drop-quotations.ts";
import { extractTopics, type Topic } from "./extract-topics.ts";

/** Messages that are read for it, however many there are: some hundredths of a second. */
const maxRead = 4_000;

/** The subjects of chats: the topics, the messages that were looked at, and how many there are. */
export async function listTopics(
  { chats, db }: { readonly db: Kysely<Database>; readonly chats: readonly number[] },
  limit: number,
  accepts?: (name: string) => boolean,
): Promise<{ readonly topics: readonly Topic[]; readonly looked: readonly LogMessage[]; readonly total: number }> {
  const { messages: looked, total } = await sampleLog(db, chats, maxRead);
  // Her quotations are words of others, which are in the log already.
  const texts = looked.map(({ role, text }) => (role === "her" ? dropQuotations(text) : text));
  return { topics: await extractTopics(texts, limit, accepts), looked, total };
}
