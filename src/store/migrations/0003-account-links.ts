import type { Engine } from "./engine.ts";

/** Accounts of one human on several platforms, and the codes by which they are linked: schema/link-tables.ts has the meaning of each column. */
export function createLinkTables({ text }: Engine): readonly string[] {
  return [
    `create table account_links (
      account ${text} not null,
      human ${text} not null,
      acts integer not null,
      linked_at bigint not null,
      ended_at bigint,
      constraint account_links_key primary key (account, human)
    )`,
    `create table link_codes (
      account ${text} primary key,
      name ${text} not null,
      session ${text} not null,
      hash ${text} not null,
      other ${text},
      other_name ${text},
      other_session ${text},
      other_acts integer,
      expires_at bigint not null
    )`,
    `create unique index account_links_living on account_links (account) where ended_at is null`,
    `create index account_links_human on account_links (human)`,
  ];
}
