import type { Generated } from "kysely";
import type { Engine } from "../../store/migrations/engine.ts";
import { account, chat, row, deleted, kept } from "../../store/tables/person-table.ts";
import type { Tables } from "../../store/tables/tables.ts";
import { followTokeniser } from "./queries/log-state.ts";
import { toLogWords, toVector } from "./queries/log-words.ts";
import { tokeniserVersion } from "../../store/search/tokenise.ts";

declare module "../../store/schema/database.ts" {
  interface Database {
    log_chats: LogChatTable;
    log_readers: LogReaderTable;
    log_senders: LogSenderTable;
    log_messages: LogMessageTable;
    log_state: LogStateTable;
  }
}

export const chatlogTables: Tables = {
  migrations: { "0001-tables": createLogTables },
  people: {
    log_messages: deleted(
      "talk",
      row("message", "messages", "id", ["role", "her"]),
      row("sender", "log_senders", "id"),
      row("chat", "log_chats", "id"),
    ),
    log_readers: deleted("settings", account("person"), row("chat", "log_chats", "id")),
    log_senders: deleted("settings", account("person")),
    log_chats: deleted("talk", chat(), { by: "import", column: "id" }),
    log_state: kept("how far the indexes of the chat log and of memories are"),
  },
  moves: {
    log_state: { seeded: true },
    log_messages: { convert: (row) => ({ ...row, words: toVector(String(row["text"])) }) },
  },
  functions: { kurisu_log_words: toLogWords },
  renew: followTokeniser,
  async listTaggedIds(db) {
    const senders = await db.selectFrom("log_senders").select(["id", "person"]).execute();
    return senders.map(({ id, person }) => (person === "" ? `log:${id}` : person));
  },
};

/** A chat of the log: one she is in, or talk that was brought along from elsewhere. */
interface LogChatTable {
  id: Generated<number>;
  /** null = imported */
  session: string | null;
  name: string;
  /** private | group | import */
  kind: string;
  /**
   * The platform's id of an imported chat (`telegram:channel:9`); empty = the export had none; null = never looked for
   */
  origin: string | null;
  created_at: number;
}

/** A person who may read a chat of the log, since they wrote in it or brought it along, until they leave it. */
interface LogReaderTable {
  chat: number;
  /** `<platform>:<user>`, or `owners` */
  person: string;
  /** They left the group then, and read it no more until they say something later; null = they may read. */
  left_at: number | null;
}

/** A name that a sender used; the same person may have had several. */
interface LogSenderTable {
  id: Generated<number>;
  /** `<platform>:<user>`; empty = unknown */
  person: string;
  name: string;
}

interface LogMessageTable {
  /** The number that people and tools see; it never changes. */
  id: Generated<number>;
  /** Its second × 16 and a count, or the next that was free (queries/log-places.ts): the order of everything, and the row of the index. */
  place: number;
  chat: number;
  sender: number;
  /** person | her */
  role: string;
  text: string;
  taint: string;
  /** The platform's id or one made of the message; the same again in its chat is the same message. */
  key: string;
  /** Its row in `messages`. */
  message: number | null;
  /** 1 = a question to the log, her answer out of it, or a receipt or list of hers: it mentions what others said, and no search for mentions finds it. */
  asks: Generated<number>;
  said_at: number;
}

/**
 * tokeniser = the version of it that the index is made with; indexed_from = the place from which on it is whole (older
 * messages are searched by reading them); backfill_to = the last message of `messages` from before there was a log;
 * `backfilled` is the last of them that was indexed; `spilled` the most seconds by which a message is placed after its own.
 */
interface LogStateTable {
  name: string;
  value: number;
}

function createLogTables({ counter, name, text }: Engine): readonly string[] {
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
