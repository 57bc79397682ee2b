import type { Engine } from "./engine.ts";

/** The replies of the official QQ bot, which the platform counts, and where its connection left off: schema/qq-tables.ts has the meaning of each column. */
export function createQqTables({ text }: Engine): readonly string[] {
  return [
    `create table passive_replies (
      account ${text} not null,
      session ${text} not null,
      "trigger" ${text} not null,
      seq integer not null,
      outbox ${text} not null,
      part integer not null,
      state ${text} not null,
      message ${text},
      reference ${text},
      text ${text},
      created_at bigint not null,
      constraint passive_replies_key primary key (account, "trigger", seq)
    )`,
    `create index passive_replies_outbox on passive_replies (outbox, part)`,
    `create index passive_replies_session on passive_replies (session, state)`,
    `create table gateway_sessions (account ${text} primary key, session ${text} not null, seq bigint not null)`,
    `create index inbox_answerable on inbox (session, created_at) where platform = 'qqbot'`,
  ];
}
