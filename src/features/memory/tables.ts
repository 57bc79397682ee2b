import type { Generated } from "kysely";
import type { Engine } from "../../store/migrations/engine.ts";
import { account, byHand, chat, row, deleted } from "../../store/tables/person-table.ts";
import type { Tables } from "../../store/tables/tables.ts";
import { createVectorTable, readFloats } from "./embedding/create-vector-table.ts";

declare module "../../store/schema/database.ts" {
  interface Database {
    memories: MemoryTable;
    memory_events: MemoryEventTable;
    memory_terms: MemoryTermTable;
    acquaintances: AcquaintanceTable;
    fact_sources: FactSourceTable;
    preferences: PreferenceTable;
  }
}

export const memoryTables: Tables = {
  migrations: { "0001-tables": (engine) => [...createMemoryTables(engine), ...createVectorTable(engine)] },
  people: {
    vectors: { ...byHand("traces", "a trigger takes a vector with its text"), exported: false },
    memory_terms: { ...deleted("traces", row("memory", "memories", "id")), exported: false },
    memory_events: { ...deleted("traces", row("memory", "memories", "id")), withheld: ["person"] },
    memories: deleted("memories", account("person")),
    acquaintances: deleted("settings", account("person")),
    fact_sources: { ...deleted("traces", account("person"), chat()), exported: false },
    preferences: deleted("settings", account("person")),
  },
  moves: { vectors: { convert: (row) => ({ ...row, data: readFloats(row["data"] as Uint8Array) }) } },
  followed: { memories: { topic: "memories", id: "id", updates: ["state", "content", "pinned", "confidence"] } },
  async prune(db, before) {
    await db.deleteFrom("fact_sources").where("said_at", "<", before).execute();
  },
};

/** Something she keeps of a person. Two times: when it was true (`valid_from`, `invalid_at`), and when it was written down. */
interface MemoryTable {
  id: Generated<number>;
  /** `<platform>:<user>`: the person who said it. */
  person: string;
  /** Their name at that time. */
  name: string;
  /** "" = said in private; otherwise the session of the group. */
  place: string;
  /** The persona that it was said to. */
  persona: string;
  /** FactCategory */
  category: string;
  /** A newer memory with the same slot takes its place, as `home`; null = it contradicts nothing. */
  slot: string | null;
  value: string | null;
  /** "" once it is forgotten. */
  content: string;
  /** 0 to 1 */
  importance: number;
  confidence: number;
  pinned: number;
  /** The label of the turn that stored it, and whose words that turn had read, as a JSON list. */
  taint: string;
  sources: string;
  /** said | tool | extracted | command */
  origin: string;
  /** The message it was said in: log_messages.id; null = none is kept. */
  source_log: number | null;
  valid_from: number;
  /** Since then it is not true any more; null = it is. */
  invalid_at: number | null;
  /** The memory that took its place. */
  superseded_by: number | null;
  last_access_at: number;
  access_count: number;
  /** active | superseded | forgotten */
  state: string;
  created_at: number;
}

/** The history of a memory, without its words. Rows are only ever added. */
interface MemoryEventTable {
  id: Generated<number>;
  memory: number;
  /** remembered | confirmed | superseded | pinned | unpinned | forgotten */
  kind: string;
  /** The account that did it. */
  person: string;
  /** The memory that took its place. */
  other: number | null;
  at: number;
}

/** A word of a memory. `term` is a number made of the word and of who may look it up: queries/memories.ts. */
interface MemoryTermTable {
  term: number;
  memory: number;
}

/** How well a persona and a person know each other. One row, however much they say. */
interface AcquaintanceTable {
  person: string;
  persona: string;
  name: string;
  /** Messages in each language, and in all. */
  zh: number;
  en: number;
  ja: number;
  messages: number;
  /** Days on which they spoke. */
  days: number;
  /** Days since 1970, UTC. */
  last_day: number;
  first_at: number;
  last_at: number;
}

/** A message that a model is yet to read for facts about its sender. Its words are in the chat log alone. */
interface FactSourceTable {
  /** log_messages.id */
  log: number;
  session: string;
  /** The speaker. */
  person: string;
  /** The persona that it was said to. */
  persona: string;
  said_at: number;
  /** How many of their messages waited there then, including this one. */
  waiting: number;
  /** When they had said the one before it that waited; null = none did. */
  previous_at: number | null;
}

/** A note on how a person likes things; never a permission. */
interface PreferenceTable {
  person: string;
  /** Its subject: `said:…`, `added:…`, `tool:NAME`, `option:TOOL.NAME`. A newer note on the same subject replaces it. */
  key: string;
  /** said | added | learned */
  origin: string;
  /** The words; of an option its value; of a tool empty. */
  text: string;
  /** How often in a row it was kept or refused; 0 for words. */
  kept: number;
  refused: number;
  created_at: number;
  updated_at: number;
}

function createMemoryTables({ counter, name, text }: Engine): readonly string[] {
  return [
    `create table memories (
      id ${counter},
      person ${text} not null,
      name ${text} not null,
      place ${text} not null,
      persona ${text} not null,
      category ${text} not null,
      slot ${text},
      value ${text},
      content ${text} not null,
      importance double precision not null,
      confidence double precision not null,
      pinned integer not null,
      taint ${text} not null,
      sources ${text} not null,
      origin ${text} not null,
      source_log bigint,
      valid_from bigint not null,
      invalid_at bigint,
      superseded_by bigint,
      last_access_at bigint not null,
      access_count integer not null,
      state ${text} not null,
      created_at bigint not null
    )`,
    `create index memories_person on memories (person, persona, state, slot)`,
    `create index memories_place on memories (place, persona, state) where place <> ''`,
    `create index memories_superseded on memories (superseded_by) where superseded_by is not null`,
    `create table memory_events (
      id ${counter},
      memory bigint not null,
      kind ${text} not null,
      person ${text} not null,
      other bigint,
      at bigint not null
    )`,
    `create index memory_events_memory on memory_events (memory)`,
    `create table memory_terms (
      term bigint not null,
      memory bigint not null,
      primary key (term, memory)
    )`,
    `create index memory_terms_memory on memory_terms (memory)`,
    ...(name === "sqlite" ? sqliteTriggers : postgresTriggers),
    `create table acquaintances (
      person ${text} not null,
      persona ${text} not null,
      name ${text} not null,
      zh integer not null,
      en integer not null,
      ja integer not null,
      messages integer not null,
      days integer not null,
      last_day integer not null,
      first_at bigint not null,
      last_at bigint not null,
      primary key (person, persona)
    )`,
    `create table fact_sources (
      log bigint primary key,
      session ${text} not null,
      person ${text} not null,
      persona ${text} not null,
      said_at bigint not null,
      waiting integer not null,
      previous_at bigint
    )`,
    `create index fact_sources_person on fact_sources (session, person, persona, log)`,
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
  ];
}

/** The words of a memory are deleted with it, whatever deletes it, and also while its index is being rebuilt. */
const sqliteTriggers = [
  `create trigger memory_terms_removed after delete on memories
    begin delete from memory_terms where memory = old.id; end`,
  `create trigger memory_terms_forgotten after update of state on memories when new.state = 'forgotten'
    begin delete from memory_terms where memory = old.id; end`,
];

const postgresTriggers = [
  `create or replace function kurisu_drop_memory_terms() returns trigger language plpgsql as $body$
  begin
    delete from memory_terms where memory = old.id;
    return null;
  end $body$`,
  `create trigger memory_terms_removed after delete on memories
    for each row execute function kurisu_drop_memory_terms()`,
  `create trigger memory_terms_forgotten after update of state on memories
    for each row when (new.state = 'forgotten') execute function kurisu_drop_memory_terms()`,
];
