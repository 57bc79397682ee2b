import type { Engine } from "./engine.ts";

/** Events of chats apart from the conversation: schema/chat-tables.ts has the meaning. */
export function createChatTables({ text }: Engine): readonly string[] {
  return [
    `create table chat_moves (
      account ${text} not null,
      chat ${text} not null,
      moved_to ${text} not null,
      adopts integer not null,
      created_at bigint not null,
      constraint chat_moves_key primary key (account, chat)
    )`,
    `create table steered_messages (
      inbox ${text} primary key,
      turn ${text} not null,
      ordinal bigint not null,
      words ${text} not null,
      created_at bigint not null
    )`,
    `create unique index steered_messages_turn on steered_messages (turn, ordinal)`,
    `create table outages (
      session ${text} not null primary key,
      since bigint not null,
      named bigint not null
    )`,
  ];
}
