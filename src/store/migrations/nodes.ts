import type { Engine } from "./engine.ts";

/** The processes of one database. */
export function createNodeTable({ text }: Engine): readonly string[] {
  return [
    `create table nodes (
      id ${text} primary key, role ${text} not null, place ${text} not null, address ${text} not null,
      version ${text} not null, policy ${text} not null, policy_since bigint not null,
      sessions bigint not null, channels ${text} not null, started_at bigint not null, seen_at bigint not null
    )`,
  ];
}
