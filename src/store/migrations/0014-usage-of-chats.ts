import type { Engine } from "./engine.ts";

/** Usage is counted by conversation too: the key gets one more column, so the table is written anew. */
export function countUsageOfChats({ text }: Engine): readonly string[] {
  const counts = "calls, estimated, input, output, cached, cost";
  return [
    `alter table usage rename to former_usage`,
    `create table usage (
      day ${text} not null,
      person ${text} not null,
      session ${text} not null,
      model ${text} not null,
      calls bigint not null,
      estimated bigint not null,
      input bigint not null,
      output bigint not null,
      cached bigint not null,
      cost bigint not null,
      constraint usage_of_chats primary key (day, person, session, model)
    )`,
    `insert into usage (day, person, session, model, ${counts})
      select day, person, '', model, ${counts} from former_usage`,
    `drop table former_usage`,
  ];
}
