import type { Engine } from "./engine.ts";

/** Reactions that wait for the next turn: schema/chat-tables.ts has the meaning. */
export function createReactionTable({ counter, text }: Engine): readonly string[] {
  return [
    `create table reactions (
      seq ${counter},
      session ${text} not null,
      message ${text} not null,
      person ${text} not null,
      told ${text} not null,
      taint ${text} not null,
      noted_at bigint not null
    )`,
    `create unique index reactions_key on reactions (session, message, person)`,
  ];
}
