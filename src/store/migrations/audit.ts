import { createAuditTriggers } from "./audit-triggers.ts";
import type { Engine } from "./engine.ts";

/** The audit, its chain, and the words of its rows, of which the chain holds the digest: schema/audit-tables.ts. */
export function createAuditTables(engine: Engine): readonly string[] {
  const { counter, text } = engine;
  return [
    `create table audit (
      seq ${counter},
      at bigint not null,
      actor ${text} not null,
      action ${text} not null,
      session ${text},
      turn ${text},
      call ${text},
      detail ${text} not null
    )`,
    `create index audit_turn on audit (turn, seq)`,
    `create index audit_erased on audit (seq) where action = 'audit.erased'`,
    `create table audit_chain (
      position bigint primary key,
      seq bigint not null unique,
      prev_hash ${text} not null,
      hash ${text} not null
    )`,
    `create table audit_texts (
      digest ${text} primary key,
      salt ${text} not null,
      detail ${text} not null,
      actor ${text} not null,
      session ${text},
      turn ${text}
    )`,
    `create index audit_texts_actor on audit_texts (actor)`,
    `create index audit_texts_turn on audit_texts (turn)`,
    `create index audit_texts_session on audit_texts (session)`,
    ...createAuditTriggers(engine),
  ];
}
