import type { Engine } from "./engine.ts";

/** Chats whose turns wait until a model answers again: schema/chat-tables.ts has the meaning. */
export function createOutageTable({ text }: Engine): readonly string[] {
  return [
    `create table outages (
      session ${text} not null primary key,
      since bigint not null,
      named bigint not null
    )`,
  ];
}
