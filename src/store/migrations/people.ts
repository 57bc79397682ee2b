import type { Engine } from "./engine.ts";

/** People, their accounts, and what is kept of each: schema/database.ts, link-tables.ts and person-tables.ts have the meaning. */
export function createPeopleTables({ text }: Engine): readonly string[] {
  return [
    `create table people (
      id ${text} primary key,
      name ${text} not null,
      role ${text} not null,
      created_at bigint not null
    )`,
    `create table pairings (
      person ${text} primary key,
      name ${text} not null,
      code ${text} not null unique,
      session ${text} not null,
      created_at bigint not null,
      expires_at bigint not null
    )`,
    `create table private_chats (person ${text} primary key, session ${text} not null)`,
    `create table account_links (
      account ${text} not null,
      human ${text} not null,
      acts integer not null,
      linked_at bigint not null,
      ended_at bigint,
      constraint account_links_key primary key (account, human)
    )`,
    `create unique index account_links_living on account_links (account) where ended_at is null`,
    `create index account_links_human on account_links (human)`,
    `create table person_settings (
      person ${text} primary key,
      zone ${text},
      quiet_from integer,
      quiet_until integer,
      updated_at bigint not null
    )`,
    `create table usage (
      day ${text} not null,
      person ${text} not null,
      session ${text} not null,
      model ${text} not null,
      calls bigint not null,
      estimated bigint not null,
      input bigint not null,
      output bigint not null,
      cached bigint not null,
      cost bigint not null,
      constraint usage_of_chats primary key (day, person, session, model)
    )`,
  ];
}
