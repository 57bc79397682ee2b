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
    `create table preferences (
      person ${text} not null,
      "key" ${text} not null,
      origin ${text} not null,
      text ${text} not null,
      kept integer not null,
      refused integer not null,
      created_at bigint not null,
      updated_at bigint not null,
      constraint preferences_key primary key (person, "key")
    )`,
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
