import type { Engine } from "./engine.ts";

/** Summaries of what has left the window: schema/context-tables.ts has the meaning. */
export function createContextTables({ counter, text }: Engine): readonly string[] {
  return [
    `create table summaries (
      id ${counter},
      session ${text} not null,
      branch ${text} not null,
      start_position bigint not null,
      from_position bigint not null,
      up_to bigint not null,
      number bigint not null,
      text ${text} not null,
      tokens bigint not null,
      taint ${text} not null,
      sources ${text} not null,
      speakers ${text} not null,
      model ${text},
      refused bigint not null,
      created_at bigint not null
    )`,
    `create unique index summaries_line on summaries (session, branch, start_position, up_to)`,
  ];
}
