import type { Kysely, Selectable } from "kysely";
import type { ConversationMessage, Speaker } from "../../../core/conversation.ts";
import { estimateMessageTokens } from "../../../core/estimate-tokens.ts";
import type { Database } from "../../../store/schema/database.ts";
import {
  isSaidBy,
  isSpeaker,
  listSigns,
  listTags,
  namesNobodyElse,
  takeOutOfNote,
  type NamedHuman,
} from "./read-texts.ts";

type MessageRow = Pick<Selectable<Database["messages"]>, "id" | "session" | "branch" | "position" | "role" | "content">;

const columns = ["id", "session", "branch", "position", "role", "content"] as const;
/** The record in a group in place of an erased message: the line keeps its order, its points and its labels. */
const blank: ConversationMessage = {
  role: "note",
  text: "What was said here is erased: its author wanted to be forgotten.",
};

/**
 * Replaces a tool's result in another person's turn that held the erased person's words; the call and its answer stay a
 * pair.
 */
const blankResult = "What was found here is erased: somebody whose words it held wanted to be forgotten.";

/** Texts that hold one of these, as a condition of both engines. */
function holdsOne(
  db: Kysely<Database>,
  column: "content" | "input" | "outcome" | "speaker" | "speakers" | "payload",
  signs: readonly string[],
) {
  const { dynamic } = db;
  return signs.map((sign) => ({
    column: dynamic.ref<string>(column),
    like: `%${sign.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`,
  }));
}

/** The turns of a human that have ended (`living` = all), among those from `after` on. `next` = where to go on; undefined = these were the last. */
export async function findTurns(
  db: Kysely<Database>,
  { accounts }: NamedHuman,
  {
    after,
    before,
    most,
    living = false,
  }: { readonly after: string; readonly before: number; readonly most: number; readonly living?: boolean },
): Promise<{ readonly turns: readonly string[]; readonly next: string | undefined }> {
  const rows = await db
    .selectFrom("turns")
    .select(["id", "input", "state", "created_at"])
    .where("id", ">", after)
    .orderBy("id")
    .limit(most)
    .execute();
  const turns = rows.filter(
    ({ created_at: at, input, state }) =>
      (living || state === "ended") &&
      at <= before &&
      accounts.includes((JSON.parse(input) as { readonly person?: { readonly id?: string } }).person?.id ?? ""),
  );
  return { turns: turns.map(({ id }) => id), next: rows.length < most ? undefined : rows.at(-1)?.id };
}

/**
 * Whether a message of theirs, or of a turn of theirs, is theirs or hers to them, and nothing that others said. Tool
 * results in a group belong to the group; in private they are left out if they name another person.
 */
export function isTheirPart(human: NamedHuman, content: string, where: "group" | "private"): boolean {
  const message = JSON.parse(content) as ConversationMessage;
  if (message.role === "tool") return where === "private" && namesNobodyElse(human, message.text);
  if (where === "private") return true;
  if (message.role === "user") return isSaidBy(human, message);
  return message.role !== "note" || !message.text.includes('[{"from":');
}

/** Empties the messages of these group turns: theirs, and the answers to them. What others said in them stays. */
export async function emptyTurns(
  db: Kysely<Database>,
  human: NamedHuman,
  turns: readonly string[],
  chats: readonly string[],
): Promise<number> {
  if (turns.length === 0) return 0;
  let query = db.selectFrom("messages").select(columns).where("turn", "in", turns);
  if (chats.length > 0) query = query.where("session", "not in", chats);
  let count = 0;
  for (const row of await query.execute()) {
    const message = JSON.parse(row.content) as ConversationMessage;
    const isOfOther = message.role === "user" && !isSaidBy(human, message);
    const rest = message.role === "note" ? takeOutOfNote(human, message.text) : undefined;
    const isList = message.role === "note" && message.text.includes('[{"from":');
    if (isOfOther || (isList && rest === undefined)) continue;
    count += await rewrite(db, row, message.role === "note" && rest ? { ...message, text: rest } : blank);
  }
  return count;
}

/** Results of tools of which a part is in a file, with its path in the workspace of the session. */
export async function findLongResults(
  db: Kysely<Database>,
  of: { readonly after: number; readonly upTo: number } | { readonly turns: readonly string[] },
): Promise<readonly { readonly id: number; readonly session: string; readonly paths: readonly string[] }[]> {
  const rows = await db
    .selectFrom("messages")
    .select(["id", "session", "content"])
    .where((where) =>
      "turns" in of
        ? where("turn", "in", of.turns)
        : where.and([where("id", ">", of.after), where("id", "<=", of.upTo)]),
    )
    .where("role", "=", "tool")
    .where("content", "like", "%results/%")
    .execute();
  return rows.map(({ content, id, session }) => ({
    id,
    session,
    paths: listPaths(content),
  }));
}

function listPaths(text: string): readonly string[] {
  return [...new Set(text.match(/results\/(?:[0-9a-f]{8}\/)?[\w.-]{1,200}\.txt/g))];
}

/**
 * The same for what they said in turns of others, for records of it, and for tool results there that hold it: a result
 * that holds their tag loses all of its words, and so do `results`. The words of all others stay.
 */
export async function emptyMessages(
  db: Kysely<Database>,
  human: NamedHuman,
  range: { readonly after: number; readonly upTo: number; readonly results?: readonly number[] },
): Promise<number> {
  const signs = [...listSigns(human), ...listTags(human)];
  const rows = await db
    .selectFrom("messages")
    .select(columns)
    .where("id", ">", range.after)
    .where("id", "<=", range.upTo)
    .where("role", "in", ["user", "note", "tool", "assistant"])
    .where((where) =>
      where.or([
        ...holdsOne(db, "content", signs).map(({ column, like }) => where(column, "like", like)),
        ...(range.results === undefined || range.results.length === 0 ? [] : [where("id", "in", range.results)]),
      ]),
    )
    .execute();
  let count = 0;
  for (const row of rows) {
    const message = JSON.parse(row.content) as ConversationMessage;
    if (isSaidBy(human, message)) count += await rewrite(db, row, blank);
    else if (message.role === "tool") {
      const { parts: _, ...rest } = message;
      const isTheirs = listTags(human).some((tag) => message.text.includes(tag)) || range.results?.includes(row.id);
      // The paths stay: after a crash the files are found by them.
      const text = [blankResult, ...listPaths(message.text)].join(" ");
      if (isTheirs && message.text !== text) count += await rewrite(db, row, { ...rest, text });
    } else if (message.role === "note") {
      const rest = takeOutOfNote(human, message.text);
      if (rest !== undefined) count += await rewrite(db, row, rest === null ? blank : { ...message, text: rest });
    } else if (message.role === "assistant" && message.kept !== undefined) {
      // Her answer to another person stays; the model's thoughts about the erased person do not.
      const { kept, ...rest } = message;
      const thought = JSON.stringify(kept);
      if (signs.some((sign) => thought.includes(sign))) count += await rewrite(db, row, rest);
    }
  }
  return count;
}

/** Empties the same results in the ledger. A finished call is not run again because of that. */
export async function emptyOutcomes(db: Kysely<Database>, human: NamedHuman): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable("tool_ledger")
    .set({ outcome: null })
    .where("state", "=", "done")
    .where((where) =>
      where.or(holdsOne(db, "outcome", listTags(human)).map(({ column, like }) => where(column, "like", like))),
    )
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Replaces a message; the remarks that index its words are deleted. */
async function rewrite(db: Kysely<Database>, row: MessageRow, message: ConversationMessage): Promise<number> {
  const { branch, id, position, session } = row;
  await db
    .updateTable("messages")
    .set({
      role: message.role,
      content: JSON.stringify(message),
      short: null,
      tokens: estimateMessageTokens(message),
      ...(message === blank && { turn: null, question: null }),
    })
    .where("id", "=", id)
    .execute();
  await deleteRemarks(
    db,
    await db
      .selectFrom("remarks")
      .select("id")
      .where("session", "=", session)
      .where("branch", "=", branch)
      .where("position", "=", position)
      .execute(),
  );
  await dropSummaries(db, session, position);
  return 1;
}

/** From the first that covers this place on, on any branch: the next turn writes them again. */
async function dropSummaries(db: Kysely<Database>, session: string, position: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("summaries")
    .where("session", "=", session)
    .where("up_to", ">=", position)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

async function deleteRemarks(db: Kysely<Database>, rows: readonly { readonly id: number }[]): Promise<void> {
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return;
  await db.deleteFrom("remark_terms").where("remark", "in", ids).execute();
  await db.deleteFrom("remarks").where("id", "in", ids).execute();
}

/** Their sentences, and those of their turns, in any conversation. */
export async function eraseRemarks(
  db: Kysely<Database>,
  human: NamedHuman,
  range: { readonly after: number; readonly upTo: number },
): Promise<number> {
  const rows = await db
    .selectFrom("remarks")
    .select(["id", "speaker"])
    .where("id", ">", range.after)
    .where("id", "<=", range.upTo)
    .where((where) =>
      where.or(holdsOne(db, "speaker", listSigns(human)).map(({ column, like }) => where(column, "like", like))),
    )
    .execute();
  const theirs = rows.filter(({ speaker }) => isSpeaker(human, JSON.parse(speaker) as Speaker));
  await deleteRemarks(db, theirs);
  return theirs.length;
}

/** Deletes summaries with their words, and those after them. */
export async function eraseSummaries(db: Kysely<Database>, human: NamedHuman, most: number): Promise<number> {
  const rows = await db
    .selectFrom("summaries")
    .select(["session", "from_position", "speakers"])
    .where((where) =>
      where.or(holdsOne(db, "speakers", listSigns(human)).map(({ column, like }) => where(column, "like", like))),
    )
    .orderBy("id")
    .limit(most)
    .execute();
  let count = 0;
  for (const { from_position: from, session } of rows) count += await dropSummaries(db, session, from + 1);
  return count;
}

/** The last id of a table that counts up. */
export async function findLastId(db: Kysely<Database>, table: "messages" | "remarks"): Promise<number> {
  const row = await db
    .selectFrom(table)
    .select((of) => of.fn.max("id").as("id"))
    .executeTakeFirst();
  return row?.id ?? 0;
}
