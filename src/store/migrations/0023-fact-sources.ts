import type { Engine } from "./engine.ts";

/** Messages that a model is yet to read for facts: schema/memory-tables.ts has the meaning. */
export function createFactSources({ text }: Engine): readonly string[] {
  return [
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
