import type { Engine } from "./engine.ts";

/** Groups that got another id, chats she was put out of, and what is said in groups beside her: schema/chat-tables.ts. */
export function createChatTables({ text, counter }: Engine): readonly string[] {
  return [
    `create table chat_moves (
      account ${text} not null,
      chat ${text} not null,
      moved_to ${text} not null,
      adopts integer not null,
      created_at bigint not null,
      constraint chat_moves_key primary key (account, chat)
    )`,
    `create table overheard (
      seq ${counter},
      session ${text} not null,
      message ${text} not null,
      sender ${text} not null,
      text ${text} not null,
      said_at bigint not null
    )`,
    `create index overheard_session on overheard (session, seq)`,
    `alter table sessions add column gone_at bigint`,
  ];
}
