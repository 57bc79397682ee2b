import { createHash } from "node:crypto";
import { toCanonicalJson } from "../../core/canonical-json.ts";

/** The hashed columns of an audit row; `detail` is JSON as it is stored. */
export interface AuditRow {
  readonly seq: number;
  readonly at: number;
  readonly actor: string;
  readonly action: string;
  readonly session: string | null;
  readonly turn: string | null;
  readonly call: string | null;
  readonly detail: string;
}

/** The hash before the first row. */
export const auditGenesis = "0".repeat(64);

/**
 * SHA-256 over the hash of the row before and the canonical JSON (RFC 8785) of this one, 64 hexadecimal characters. On
 * Postgres a trigger computes the same in SQL (migrations/audit-triggers.ts); what was chained once depends on every byte of this.
 */
export function hashAuditRow(previous: string, row: AuditRow): string {
  const { seq, at, actor, action, session, turn, call, detail } = row;
  const canonical = toCanonicalJson({ seq, at, actor, action, session, turn, call, detail });
  return createHash("sha256").update(previous).update(canonical).digest("hex");
}

/** The same for SQLite's trigger, which gives the columns one by one. */
export function hashAuditColumns(...columns: readonly unknown[]): string {
  const [previous, seq, at, actor, action, session, turn, call, detail] = columns;
  const row = { seq, at, actor, action, session, turn, call, detail } as AuditRow;
  return hashAuditRow(previous as string, row);
}
