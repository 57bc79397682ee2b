import { tokeniserVersion } from "../search/tokenise.ts";
import type { Engine } from "./engine.ts";

/** The chat log; schema/log-tables.ts has the meaning. */
export function createLogTables({ counter, name, text }: Engine): readonly string[] {
  return [
    `create table log_chats (
      id ${counter},
      session ${text} unique,
      name ${text} not null,
      kind ${text} not null,
      origin ${text},
      created_at bigint not null
    )`,
    `create table log_readers (
      chat bigint not null,
      person ${text} not null,
      left_at bigint,
      primary key (chat, person)
    )`,
    `create index log_readers_person on log_readers (person)`,
    `create table log_senders (id ${counter}, person ${text} not null, name ${text} not null, unique (person, name))`,
    `create table log_messages (
      id ${counter},
      place bigint not null unique,
      chat bigint not null,
      sender bigint not null,
      role ${text} not null,
      text ${text} not null,
      taint ${text} not null,
      key ${text} not null,
      message bigint,
      asks integer not null default 0,
      said_at bigint not null${name === "sqlite" ? "" : ", words tsvector not null"},
      unique (chat, key)
    )`,
    `create index log_messages_chat on log_messages (chat, place)`,
    `create index log_messages_sender on log_messages (sender, chat, place)`,
    `create index log_messages_asks on log_messages (place) where asks = 1`,
    `create table log_state (name ${text} primary key, value bigint not null)`,
    `insert into log_state (name, value) values
      ('tokeniser', ${tokeniserVersion}), ('indexed_from', 0), ('spilled', 0), ('backfill_to', 0)`,
    ...(name === "sqlite" ? sqliteIndex : [`create index log_messages_words on log_messages using gin (words)`]),
  ];
}

const added = "(rowid, words) values (new.place, kurisu_log_words(new.text, new.chat, new.sender))";
const removed =
  "(log_search, rowid, words) values ('delete', old.place, kurisu_log_words(old.text, old.chat, old.sender))";
const isIndexed = (row: "new" | "old") => `${row}.place >= (select value from log_state where name = 'indexed_from')`;

/**
 * The index keeps no copy of the texts. Triggers write it, so that no way to change a message leaves it out; the function
 * that makes the tokens is ours. A row is taken out by its own tokens and not by a mark, so that its words are gone from
 * the file, as everything deleted is (`contentless_delete` would leave them until segments merge). Tokens are split at
 * ASCII signs only: `unicode61` knows no letters that are newer than it. It has no positions, which would double it: where a
 * word is several tokens, what it finds is compared with the text.
 */
const sqliteIndex = [
  `create virtual table log_search using fts5(words, content='', columnsize=0, detail=none, tokenize='ascii')`,
  `insert into log_search (log_search, rank) values ('secure-delete', 1)`,
  `create trigger log_search_add after insert on log_messages when ${isIndexed("new")}
    begin insert into log_search ${added}; end`,
  `create trigger log_search_remove after delete on log_messages when ${isIndexed("old")}
    begin insert into log_search ${removed}; end`,
  `create trigger log_search_change after update of text, chat, sender on log_messages when ${isIndexed("new")}
    begin insert into log_search ${removed}; insert into log_search ${added}; end`,
];
