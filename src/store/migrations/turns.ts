import type { Engine } from "./engine.ts";

/** Turns, what their tools did, and what halts them: schema/database.ts has the meaning of each column. */
export function createTurnTables({ text }: Engine): readonly string[] {
  return [
    `create table turns (
      id ${text} primary key,
      kind ${text} not null default 'chat',
      parent ${text},
      parent_call ${text},
      background integer not null default 0,
      waiting ${text},
      cause ${text},
      result ${text},
      session ${text} not null,
      inbox ${text} not null unique,
      state ${text} not null,
      outcome ${text},
      input ${text} not null,
      policy ${text} not null,
      owner ${text} not null,
      lease_until bigint not null,
      token bigint not null,
      created_at bigint not null,
      updated_at bigint not null
    )`,
    `create index turns_state on turns (state, session)`,
    `create unique index turns_parent on turns (parent, parent_call)`,
    `create table tool_ledger (
      turn ${text} not null,
      call ${text} not null,
      tool ${text} not null,
      hash ${text} not null,
      state ${text} not null,
      outcome ${text},
      token bigint not null,
      started_at bigint not null,
      finished_at bigint,
      constraint tool_ledger_key primary key (turn, call)
    )`,
    `create table todos (
      session ${text} primary key,
      items ${text} not null,
      taint ${text} not null,
      updated_at bigint not null
    )`,
    `create table known_contents (
      session ${text} not null,
      person ${text} not null,
      path ${text} not null,
      sha256 ${text} not null,
      created_at bigint not null,
      constraint known_contents_key primary key (session, person, path, sha256)
    )`,
    `create table pause (
      id integer primary key,
      since bigint not null,
      person ${text} not null,
      name ${text} not null
    )`,
    `create table suspects (
      "row" ${text} primary key,
      deaths integer not null,
      alone integer not null,
      run ${text} not null
    )`,
  ];
}
