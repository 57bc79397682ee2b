import type { Kysely, Selectable } from "kysely";
import type { JsonValue } from "../../core/canonical-json.ts";
import type { Database } from "../schema/database.ts";

export interface AuditEntry {
  /** Who did it: a person's id, or `gateway`. */
  readonly actor: string;
  readonly action: string;
  readonly session?: string;
  readonly turn?: string;
  readonly call?: string;
  readonly detail?: { readonly [key: string]: JsonValue };
  readonly now: number;
}

/** One row per decision and per execution. */
export async function appendAudit(db: Kysely<Database>, entry: AuditEntry): Promise<void> {
  await db
    .insertInto("audit")
    .values({
      at: entry.now,
      actor: entry.actor,
      action: entry.action,
      session: entry.session ?? null,
      turn: entry.turn ?? null,
      call: entry.call ?? null,
      detail: JSON.stringify(entry.detail ?? {}),
    })
    .execute();
}

/** Whether somebody ever did that. */
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

/** `hash` = its link in the chain; null = it has none, which no row that we wrote can be. */
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
  let query = selectLinked(db);
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
  return (await query.orderBy("audit.seq", "desc").limit(limit).execute()).toReversed();
}

/** Everything about these turns, oldest first. */
export async function listAuditOfTurns(db: Kysely<Database>, turns: readonly string[]): Promise<LinkedAuditRow[]> {
  if (turns.length === 0) return [];
  return selectLinked(db).where("audit.turn", "in", turns).orderBy("audit.seq").execute();
}
