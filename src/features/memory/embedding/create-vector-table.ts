import type { Engine } from "../../../store/migrations/engine.ts";

declare module "../../../store/schema/database.ts" {
  interface Database {
    vectors: VectorTable;
  }
}

/** The meaning of a text, by a model for embeddings. Vectors of different models are never compared. */
interface VectorTable {
  /** memory | log */
  kind: string;
  /** Its id in `memories` or `log_messages`. */
  item: number;
  /** Its number in the log; 0 = a memory. */
  chat: number;
  /** The embedder's id. */
  model: string;
  dimensions: number;
  /** 32-bit floats of a vector of length 1: as bytes in SQLite, as `real[]` in Postgres. */
  data: Uint8Array | readonly number[];
}

/**
 * A vector is deleted with its text, whatever deletes that. So it has triggers on the chat log, which precedes memory
 * in the list of features.
 */
export function createVectorTable({ bytes, name, text }: Engine): readonly string[] {
  return [
    `create table vectors (
      kind ${text} not null,
      item bigint not null,
      chat bigint not null,
      model ${text} not null,
      dimensions integer not null,
      data ${name === "sqlite" ? bytes : "real[]"} not null,
      primary key (kind, item)
    )`,
    `create index vectors_chat on vectors (kind, chat, item)`,
    ...(name === "sqlite" ? sqliteTriggers : postgresTriggers),
  ];
}

/** The numbers of a vector as SQLite keeps it. Its bytes may begin anywhere, so they are copied first. */
export function readFloats(data: Uint8Array): readonly number[] {
  return [...new Float32Array(Uint8Array.from(data).buffer)];
}

const sqliteTriggers = [
  `create trigger vectors_log_removed after delete on log_messages
    begin delete from vectors where kind = 'log' and item = old.id; end`,
  `create trigger vectors_log_changed after update of text, chat on log_messages
    begin delete from vectors where kind = 'log' and item = old.id; end`,
  `create trigger vectors_memory_removed after delete on memories
    begin delete from vectors where kind = 'memory' and item = old.id; end`,
  `create trigger vectors_memory_changed after update of content, state on memories
    when new.content <> old.content or new.state = 'forgotten'
    begin delete from vectors where kind = 'memory' and item = old.id; end`,
];

const postgresTriggers = [
  `create or replace function kurisu_drop_vector() returns trigger language plpgsql as $body$
  begin
    delete from vectors where kind = tg_argv[0] and item = old.id;
    return null;
  end $body$`,
  `create trigger vectors_log_removed after delete on log_messages
    for each row execute function kurisu_drop_vector('log')`,
  `create trigger vectors_log_changed after update of text, chat on log_messages
    for each row execute function kurisu_drop_vector('log')`,
  `create trigger vectors_memory_removed after delete on memories
    for each row execute function kurisu_drop_vector('memory')`,
  `create trigger vectors_memory_changed after update of content, state on memories
    for each row when (new.content <> old.content or new.state = 'forgotten')
    execute function kurisu_drop_vector('memory')`,
];
