import type { Kysely, Selectable } from "kysely";
import type { JsonValue } from "../../core/canonical-json.ts";
import type { Database } from "../schema.ts";

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

/** The newest rows, oldest first; `about` narrows them to a turn, a question or a fault id. */
export async function readAudit(
  db: Kysely<Database>,
  limit: number,
  about?: string,
): Promise<Selectable<Database["audit"]>[]> {
  let query = db.selectFrom("audit").selectAll();
  if (about !== undefined) {
    query = query.where((expression) =>
      expression.or([expression("turn", "=", about), expression("detail", "like", `%"${about}"%`)]),
    );
  }
  return (await query.orderBy("seq", "desc").limit(limit).execute()).toReversed();
}
