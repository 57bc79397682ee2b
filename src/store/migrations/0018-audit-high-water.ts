import { sql, type Kysely } from "kysely";
import { auditGenesis } from "../audit-hash.ts";
import type { Engine } from "./engine.ts";

/**
 * A mark beside the audit on Postgres, as SQLite's own count of rows is one: how long the chain was. A cut end does not take it
 * along, and the next link goes on from the mark, so that the gap stays. What the mark says was committed for sure: a
 * transaction raises it to the link before its own, and never to its own, which may be taken back yet.
 * docs/decisions/2026-11-22-audit-chain.md
 */
export async function createAuditHighWater(_: Kysely<unknown>["schema"], engine: Engine, db: Kysely<unknown>) {
  if (engine.name === "sqlite") return;
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `CREATE SEQUENCE audit_high_water MINVALUE 0 START 0`,
  `SELECT setval('audit_high_water', coalesce((SELECT max(position) FROM audit_chain), 0))`,
  `CREATE OR REPLACE FUNCTION kurisu_audit_link() RETURNS trigger LANGUAGE plpgsql AS $body$
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
];
