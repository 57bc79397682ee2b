import type { Engine } from "./engine.ts";

/** Files that several processes share, on Postgres: schema/file-tables.ts has the meaning. On SQLite the tables stay empty. */
export function createFileTables({ bytes, name, text }: Engine): readonly string[] {
  return [
    `create table blobs (
      sha256 ${text} not null,
      part integer not null,
      bytes ${bytes} not null,
      constraint blobs_key primary key (sha256, part)
    )`,
    // Most files are packed already; packing them again would only cost time.
    ...(name === "postgres" ? ["alter table blobs alter column bytes set storage external"] : []),
    `create table session_files (
      session ${text} not null,
      path ${text} not null,
      sha256 ${text},
      target ${text},
      size bigint not null,
      mode integer not null,
      constraint session_files_key primary key (session, path)
    )`,
    `create index session_files_sha256 on session_files (sha256)`,
    `create table session_snapshots (
      session ${text} primary key,
      version bigint not null,
      node ${text} not null,
      whole integer not null,
      at bigint not null
    )`,
    `create table outgoing_files (
      id ${text} primary key,
      sha256 ${text} not null,
      at bigint not null
    )`,
    `create index outgoing_files_sha256 on outgoing_files (sha256)`,
  ];
}
