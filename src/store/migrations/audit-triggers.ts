import { auditGenesis } from "./audit-hash.ts";
import type { Engine } from "./engine.ts";

/**
 * The audit is a chain: a trigger links every new row to the one before, so that there is no way to write one without,
 * and other triggers refuse every change. The links are a table of their own, since rows never change.
 * docs/decisions/approval-and-safety.md#a-trigger-chains-the-audit-at-the-commit
 */
export function createAuditTriggers({ name }: Engine): readonly string[] {
  return name === "sqlite" ? sqliteTriggers : postgresTriggers;
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
 * The link is deferred to the commit: two transactions that write to the audit never wait for each other in the middle
 * of their work (one that holds the chain waits for nothing more, so there is no deadlock), and the order of the chain
 * is that of the commits. The number after the first, which tells programs apart, is "au". The sequence is a mark apart
 * from the audit, as SQLite's own count of rows is: how long the chain was. A cut end does not take it along, and the
 * next link goes on from the mark, so that the gap stays. The mark says only what was committed for sure: a transaction
 * raises it to the link before its own, since its own may be taken back yet.
 */
const postgresTriggers = [
  `CREATE SEQUENCE audit_high_water MINVALUE 0 START 0`,
  `SELECT setval('audit_high_water', 0)`,
  `CREATE FUNCTION kurisu_audit_link() RETURNS trigger LANGUAGE plpgsql AS $body$
  DECLARE
    place bigint := 0;
    settled bigint := 0;
    mark bigint := 0;
    previous text := '${auditGenesis}';
    canonical text;
  BEGIN
    PERFORM pg_advisory_xact_lock(1265988201, 24949);
    SELECT position, hash INTO place, previous FROM audit_chain ORDER BY position DESC LIMIT 1;
    SELECT position INTO settled FROM audit_chain WHERE xmin <> pg_current_xact_id()::xid ORDER BY position DESC LIMIT 1;
    SELECT last_value INTO mark FROM audit_high_water;
    IF coalesce(settled, 0) > mark THEN
      PERFORM setval('audit_high_water', settled);
    END IF;
    place := greatest(coalesce(place, 0), mark) + 1;
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
