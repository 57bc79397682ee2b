import type { Engine } from "./engine.ts";

/** The secret of the processes of one database: one row (id 1), made by the first start beside others. */
export function createClusterKeyTable({ text }: Engine): readonly string[] {
  return [`create table cluster_key (id bigint primary key, key ${text} not null)`];
}
