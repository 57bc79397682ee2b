import type { Engine } from "./engine.ts";

/** Memories of people; schema/memory-tables.ts has the meaning. */
export function createMemoryTables({ counter, name, text }: Engine): readonly string[] {
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
  ];
}

/** The words of a memory go with it, whatever takes it away, and also while its index is made anew. */
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
