import type { Engine } from "./engine.ts";

/** Requests to models by turn: schema/person-tables.ts has the meaning. */
export function createModelCallTables({ counter, text }: Engine): readonly string[] {
  return [
    `create table model_calls (
      seq ${counter},
      turn ${text} not null,
      round integer not null,
      model ${text} not null,
      started_at bigint not null,
      ms bigint not null,
      input bigint not null,
      output bigint not null,
      cached bigint not null,
      cost bigint not null,
      estimated integer not null,
      ended ${text} not null
    )`,
    `create index model_calls_turn on model_calls (turn, seq)`,
  ];
}
