import type { Engine } from "./engine.ts";

/** What the processes of one database show each other: one row (id 1), made by the first start beside others. */
export function createClusterKeyTable({ text }: Engine): readonly string[] {
  return [`create table cluster_key (id bigint primary key, key ${text} not null)`];
}
