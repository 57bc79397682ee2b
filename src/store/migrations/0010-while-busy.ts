import type { Engine } from "./engine.ts";

/** Words that come while a turn is at work: schema/database.ts and schema/chat-tables.ts have the meaning. */
export function createSteeringTable({ text }: Engine): readonly string[] {
  return [
    `alter table sessions add column busy ${text}`,
    `create table steered_messages (
      inbox ${text} primary key,
      turn ${text} not null,
      ordinal bigint not null,
      words ${text} not null,
      created_at bigint not null
    )`,
    `create unique index steered_messages_turn on steered_messages (turn, ordinal)`,
  ];
}
