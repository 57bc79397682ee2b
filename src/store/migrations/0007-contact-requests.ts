import type { Engine } from "./engine.ts";

/** People who ask to be a friend, or for a group: schema/database.ts has the meaning of each column. */
export function createContactTables({ text }: Engine): readonly string[] {
  return [
    `create table contact_requests (
      id ${text} primary key,
      code ${text} not null,
      platform ${text} not null,
      account ${text} not null,
      chat ${text} not null,
      person ${text} not null,
      kind ${text} not null,
      flag ${text} not null,
      comment ${text} not null,
      state ${text} not null,
      created_at bigint not null,
      expires_at bigint not null,
      decided_by ${text},
      cause ${text}
    )`,
    `create index contact_requests_state on contact_requests (state, expires_at)`,
    `create index contact_requests_cause on contact_requests (cause)`,
  ];
}
