import { sql, type Kysely } from "kysely";
import { auditGenesis, hashAuditRow, type AuditRow } from "../audit-hash.ts";
import type { Engine } from "./engine.ts";

/** Rows that are chained with one statement. */
const batch = 500;

/**
 * The audit becomes a chain: a trigger links every new row to the one before, so that there is no way to write one
 * without, and other triggers refuse every change. The links are a table of their own, since rows never change.
 * docs/decisions/2026-11-22-audit-chain.md
 */
export async function createAuditChain(
  schema: Kysely<unknown>["schema"],
  engine: Engine,
  db: Kysely<unknown>,
): Promise<void> {
  await schema
    .createTable("audit_chain")
    .addColumn("position", "bigint", (column) => column.primaryKey())
    .addColumn("seq", "bigint", (column) => column.notNull().unique())
    .addColumn("prev_hash", engine.text, (column) => column.notNull())
    .addColumn("hash", engine.text, (column) => column.notNull())
    .execute();
  await schema.createIndex("audit_turn").on("audit").columns(["turn", "seq"]).execute();
  await linkExisting(db);
  for (const statement of engine.name === "sqlite" ? sqliteTriggers : postgresTriggers)
    await sql.raw(statement).execute(db);
}

async function linkExisting(db: Kysely<unknown>): Promise<void> {
  let [position, hash, last] = [0, auditGenesis, 0];
  for (;;) {
    const { rows } = await sql<AuditRow>`select * from audit where seq > ${last} order by seq limit ${batch}`.execute(
      db,
    );
    if (rows.length === 0) return;
    const links = rows.map((row) => {
      const [before, link] = [hash, hashAuditRow(hash, row)];
      [position, hash, last] = [position + 1, link, row.seq];
      return sql`(${position}, ${row.seq}, ${before}, ${link})`;
    });
    await sql`insert into audit_chain (position, seq, prev_hash, hash) values ${sql.join(links)}`.execute(db);
  }
}

const refusal = "the audit only grows";
const tables = ["audit", "audit_chain"] as const;

/** `kurisu_audit_hash` is a function of ours: a program that does not have it cannot write to the audit at all. */
const sqliteTriggers = [
  `CREATE TRIGGER audit_link AFTER INSERT ON audit BEGIN
    INSERT INTO audit_chain (position, seq, prev_hash, hash)
    SELECT ifnull(position, 0) + 1, NEW.seq, ifnull(hash, '${auditGenesis}'),
      kurisu_audit_hash(ifnull(hash, '${auditGenesis}'), NEW.seq, NEW.at, NEW.actor, NEW.action, NEW.session, NEW.turn, NEW.call, NEW.detail)
    FROM (SELECT 1) LEFT JOIN (SELECT position, hash FROM audit_chain ORDER BY position DESC LIMIT 1);
  END`,
  ...tables.flatMap((table) => [
    `CREATE TRIGGER ${table}_no_update BEFORE UPDATE ON ${table} BEGIN SELECT RAISE(ABORT, '${refusal}'); END`,
    `CREATE TRIGGER ${table}_no_delete BEFORE DELETE ON ${table} BEGIN SELECT RAISE(ABORT, '${refusal}'); END`,
    // INSERT OR REPLACE deletes without asking the trigger above.
    `CREATE TRIGGER ${table}_no_replace BEFORE INSERT ON ${table} WHEN EXISTS (SELECT 1 FROM ${table} WHERE seq = NEW.seq)
      BEGIN SELECT RAISE(ABORT, '${refusal}'); END`,
  ]),
];

/**
 * Deferred to the commit: two transactions that write to the audit never wait for each other in the middle of their work
 * (one that holds the chain waits for nothing more, so there is no deadlock), and the order of the chain is that of the
 * commits. The number after the first, which tells programs apart, is "au".
 */
const postgresTriggers = [
  `CREATE FUNCTION kurisu_audit_link() RETURNS trigger LANGUAGE plpgsql AS $body$
  DECLARE
    place bigint := 0;
    previous text := '${auditGenesis}';
    canonical text;
  BEGIN
    PERFORM pg_advisory_xact_lock(${0x4b757269}, ${0x6175});
    SELECT position, hash INTO place, previous FROM audit_chain ORDER BY position DESC LIMIT 1;
    place := coalesce(place, 0) + 1;
    previous := coalesce(previous, '${auditGenesis}');
    canonical := '{"action":' || to_json(NEW.action) || ',"actor":' || to_json(NEW.actor) || ',"at":' || NEW.at
      || ',"call":' || coalesce(to_json(NEW.call)::text, 'null') || ',"detail":' || to_json(NEW.detail) || ',"seq":' || NEW.seq
      || ',"session":' || coalesce(to_json(NEW.session)::text, 'null') || ',"turn":' || coalesce(to_json(NEW.turn)::text, 'null') || '}';
    INSERT INTO audit_chain (position, seq, prev_hash, hash)
      VALUES (place, NEW.seq, previous, encode(sha256(convert_to(previous || canonical, 'UTF8')), 'hex'));
    RETURN NULL;
  END $body$`,
  `CREATE CONSTRAINT TRIGGER audit_link AFTER INSERT ON audit DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION kurisu_audit_link()`,
  `CREATE FUNCTION kurisu_audit_refuse() RETURNS trigger LANGUAGE plpgsql AS $body$
  BEGIN
    RAISE EXCEPTION '${refusal}';
  END $body$`,
  ...tables.flatMap((table) => [
    `CREATE TRIGGER ${table}_no_change BEFORE UPDATE OR DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION kurisu_audit_refuse()`,
    `CREATE TRIGGER ${table}_no_truncate BEFORE TRUNCATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION kurisu_audit_refuse()`,
  ]),
];
