import { sql, type Kysely } from "kysely";
import type { ConversationMessage, Speaker, Taint } from "../../core/conversation.ts";
import type { PlacedMessage } from "./transcript.ts";
import { compileOnce } from "../statements/compile-once.ts";
import type { Database } from "../schema/database.ts";
import { rememberRows } from "../statements/remember-rows.ts";
import { selectMessages, withLine } from "./current-line.ts";

/** The position of a summary, without its words. */
export interface SummaryPlace {
  readonly id: number;
  readonly number: number;
  readonly from: number;
  readonly upTo: number;
  readonly tokens: number;
}

export interface Summary {
  readonly text: string;
  readonly taint: Taint;
  readonly sources: readonly string[];
  readonly speakers: readonly Speaker[];
}

/** A summary that is to be stored: of a conversation that began after `startPosition`. */
export interface NewSummary extends Summary, Omit<SummaryPlace, "id"> {
  readonly session: string;
  readonly branch: string;
  readonly startPosition: number;
  /** The model that wrote it; null for an extract. */
  readonly model: string | null;
  readonly refused: number;
  readonly now: number;
}

/** A summary that ends this far back is not looked for by a turn: what it costs does not grow with the conversation. */
const reach = 5_000;

const selectPlaces = compileOnce(
  (
    db,
    {
      session,
      startPosition,
      since,
      upTo,
    }: { readonly session: string; readonly startPosition: number; readonly since: number; readonly upTo: number },
  ) =>
    withLine(db, session, { from: since, upTo })
      .selectFrom("line")
      .crossJoin("summaries")
      .where("summaries.session", "=", session)
      .whereRef("summaries.branch", "=", "line.branch")
      .where("summaries.start_position", "=", startPosition)
      .where("summaries.up_to", ">", since)
      .where("summaries.up_to", "<=", upTo)
      .where(sql<boolean>`+summaries.up_to <= line.high`)
      .select(["summaries.id", "summaries.number", "summaries.from_position", "summaries.up_to", "summaries.tokens"])
      .orderBy("summaries.up_to", "desc")
      .orderBy("summaries.id", "desc"),
);

const selectFirst = rememberRows((db, { session }: { readonly session: string }) =>
  db.selectFrom("summaries").select("id").where("session", "=", session).limit(1),
);

/** The summaries of the current line without a gap, newest first. `all` = however far back the newest ends. */
export async function listSummaries(
  db: Kysely<Database>,
  session: string,
  { startPosition, upTo }: { readonly startPosition: number; readonly upTo: number },
  all = false,
): Promise<readonly SummaryPlace[]> {
  if ((await selectFirst(db, { session })).length === 0) return [];
  const since = all ? startPosition : Math.max(startPosition, upTo - reach);
  const rows = await selectPlaces(db, { session, startPosition, since, upTo });
  const chain: SummaryPlace[] = [];
  // Another branch may have cut the same stretch in other places.
  for (const { from_position: from, up_to, ...row } of rows)
    if (chain.length === 0 || chain.at(-1)?.from === up_to) chain.push({ ...row, from, upTo: up_to });
  return chain;
}

/** In the order of the conversation. */
export async function readSummaries(db: Kysely<Database>, ids: readonly number[]): Promise<readonly Summary[]> {
  if (ids.length === 0) return [];
  const rows = await db.selectFrom("summaries").selectAll().where("id", "in", ids).orderBy("up_to").execute();
  return rows.map(({ sources, speakers, taint, text }) => ({
    text,
    taint: taint as Taint,
    sources: JSON.parse(sources) as readonly string[],
    speakers: JSON.parse(speakers) as readonly Speaker[],
  }));
}

/** Inside a transaction that holds the session's row. */
export async function insertSummary(db: Kysely<Database>, summary: NewSummary): Promise<void> {
  await db
    .insertInto("summaries")
    .values({
      session: summary.session,
      branch: summary.branch,
      start_position: summary.startPosition,
      from_position: summary.from,
      up_to: summary.upTo,
      number: summary.number,
      text: summary.text,
      tokens: summary.tokens,
      taint: summary.taint,
      sources: JSON.stringify(summary.sources),
      speakers: JSON.stringify(summary.speakers),
      model: summary.model,
      refused: summary.refused,
      created_at: summary.now,
    })
    .execute();
}

/** Results of a stretch of the current line that take more than `tokens` and are not short yet. */
export async function listLongResults(
  db: Kysely<Database>,
  session: string,
  stretch: { readonly from: number; readonly upTo: number },
  tokens: number,
): Promise<
  readonly (Pick<PlacedMessage, "id" | "taint" | "turn"> & {
    readonly message: Extract<ConversationMessage, { role: "tool" }>;
  })[]
> {
  const rows = await selectMessages(db, session, stretch)
    .select(["messages.id", "messages.taint", "messages.turn", "messages.content"])
    .where("messages.role", "=", "tool")
    .where("messages.short", "is", null)
    .where("messages.tokens", ">", tokens)
    .execute();
  return rows.map(({ content, id, taint, turn }) => ({
    id,
    turn,
    taint: taint as Taint,
    message: JSON.parse(content) as Extract<ConversationMessage, { role: "tool" }>,
  }));
}

/** From now on the model reads this in its place. */
export async function shortenMessage(
  db: Kysely<Database>,
  id: number,
  short: { readonly message: ConversationMessage; readonly tokens: number },
): Promise<void> {
  await db
    .updateTable("messages")
    .set({ short: JSON.stringify(short.message), tokens: short.tokens })
    .where("id", "=", id)
    .execute();
}
