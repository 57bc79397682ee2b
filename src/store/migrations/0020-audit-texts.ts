import type { Engine } from "./engine.ts";

/** The words of audit rows, beside the chain, which holds their digest: schema/audit-tables.ts. */
export function createAuditTexts({ text }: Engine): readonly string[] {
  return [
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
    `create index audit_erased on audit (seq) where action = 'audit.erased'`,
  ];
}
