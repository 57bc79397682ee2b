import { randomBytes } from "node:crypto";
import type { Kysely, Selectable } from "kysely";
import type { JsonValue } from "../../core/canonical-json.ts";
import { findAuditDigest, takeWordsOut } from "./audit-text.ts";
import type { Database } from "../schema/database.ts";

export interface AuditEntry {
  /** The actor: a person's id, or `gateway`. */
  readonly actor: string;
  readonly action: string;
  readonly session?: string;
  readonly turn?: string;
  readonly call?: string;
  readonly detail?: { readonly [key: string]: JsonValue };
  readonly now: number;
}

/**
 * One row per decision and per execution. Words of people are kept apart from the chain, which holds a digest of them:
 * they can be erased without breaking it
 * (docs/decisions/approval-and-safety.md#the-audits-personal-texts-are-stored-beside-its-chain).
 */
export async function appendAudit(db: Kysely<Database>, entry: AuditEntry): Promise<void> {
  const { action, actor, detail = {}, now: at } = entry;
  const place = { actor, session: entry.session ?? null, turn: entry.turn ?? null };
  const left = takeWordsOut(detail);
  const kept = left === undefined ? detail : { ...left, private: await saveWords(db, place, detail) };
  await db
    .insertInto("audit")
    .values({ at, action, ...place, call: entry.call ?? null, detail: JSON.stringify(kept) })
    .execute();
}

/** Answers the digest of what was stored, which is made once secrets are out (scrub-audit.ts). */
async function saveWords(
  db: Kysely<Database>,
  place: Pick<Selectable<Database["audit_texts"]>, "actor" | "session" | "turn">,
  detail: object,
): Promise<string> {
  const salt = randomBytes(16).toString("hex");
  const { digest } = await db
    .insertInto("audit_texts")
    .values({ digest: "", salt, detail: JSON.stringify(detail), ...place })
    .returning("digest")
    .executeTakeFirstOrThrow();
  return digest;
}

/** With their words again, where these were not erased. */
async function withWords(db: Kysely<Database>, rows: readonly LinkedAuditRow[]): Promise<LinkedAuditRow[]> {
  const digests = rows.flatMap(({ detail }) => findAuditDigest(detail) ?? []);
  const words = new Map((await listAuditTexts(db, digests)).map((row) => [row.digest, row.detail]));
  return rows.map((row) => ({ ...row, detail: words.get(findAuditDigest(row.detail) ?? "") ?? row.detail }));
}

const digestsAtOnce = 500;

export async function listAuditTexts(
  db: Kysely<Database>,
  digests: readonly string[],
): Promise<readonly Pick<Selectable<Database["audit_texts"]>, "digest" | "salt" | "detail">[]> {
  const found: Pick<Selectable<Database["audit_texts"]>, "digest" | "salt" | "detail">[] = [];
  for (let from = 0; from < digests.length; from += digestsAtOnce)
    found.push(
      ...(await db
        .selectFrom("audit_texts")
        .select(["digest", "salt", "detail"])
        .where("digest", "in", digests.slice(from, from + digestsAtOnce))
        .execute()),
    );
  return found;
}

export const erasedAction = "audit.erased";

/** How many words were erased by rows that say so. */
export async function countErasedTexts(db: Kysely<Database>): Promise<number> {
  const rows = await db.selectFrom("audit").select("detail").where("action", "=", erasedAction).execute();
  return rows.reduce((sum, { detail }) => sum + ((JSON.parse(detail) as { texts?: number }).texts ?? 0), 0);
}

/** Whether this actor ever did that. */
export async function isAudited(db: Kysely<Database>, actor: string, action: string): Promise<boolean> {
  const row = await db
    .selectFrom("audit")
    .select("seq")
    .where("actor", "=", actor)
    .where("action", "=", action)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** `hash` = its link in the chain; null when it has none, which no row that we wrote can be. */
export type LinkedAuditRow = Selectable<Database["audit"]> & { readonly hash: string | null };

function selectLinked(db: Kysely<Database>) {
  return db
    .selectFrom("audit")
    .leftJoin("audit_chain", "audit_chain.seq", "audit.seq")
    .selectAll("audit")
    .select("audit_chain.hash");
}

/** The newest rows, oldest first; `about` narrows them to a turn, `turn/call`, a row's number, a question or a fault id. */
export async function readAudit(db: Kysely<Database>, limit: number, about?: string): Promise<LinkedAuditRow[]> {
  return (await pageAudit(db, { about, limit })).toReversed();
}

interface AuditPage {
  readonly limit: number;
  /** As `readAudit` takes it. */
  readonly about?: string | undefined;
  readonly actor?: string | undefined;
  /** The seq of the last row of the page before. */
  readonly before?: number | undefined;
}

/** The newest rows first. */
export async function pageAudit(
  db: Kysely<Database>,
  { about, actor, before, limit }: AuditPage,
): Promise<LinkedAuditRow[]> {
  let query = selectLinked(db);
  if (actor !== undefined) query = query.where("audit.actor", "=", actor);
  if (before !== undefined) query = query.where("audit.seq", "<", before);
  if (about !== undefined) {
    const [turn = "", call = ""] = about.split("/");
    query = query.where((expression) =>
      expression.or([
        expression("audit.turn", "=", about),
        expression.and([expression("audit.turn", "=", turn), expression("audit.call", "=", call)]),
        expression("audit.detail", "like", `%"${about}"%`),
        ...(/^[1-9]\d{0,14}$/.test(about) ? [expression("audit.seq", "=", Number(about))] : []),
      ]),
    );
  }
  return withWords(db, await query.orderBy("audit.seq", "desc").limit(limit).execute());
}

/** Everything about these turns, oldest first. */
export async function listAuditOfTurns(db: Kysely<Database>, turns: readonly string[]): Promise<LinkedAuditRow[]> {
  if (turns.length === 0) return [];
  return withWords(db, await selectLinked(db).where("audit.turn", "in", turns).orderBy("audit.seq").execute());
}
