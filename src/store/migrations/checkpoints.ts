import type { Engine } from "./engine.ts";

/** LangGraph's checkpoints: a file of their own on SQLite. */
export function createCheckpointTables({ text, bytes }: Engine): readonly string[] {
  return [
    `create table checkpoints (
      thread ${text} not null,
      namespace ${text} not null,
      id ${text} not null,
      parent ${text},
      format ${text} not null,
      checkpoint ${bytes} not null,
      metadata ${bytes} not null,
      constraint checkpoints_key primary key (thread, namespace, id)
    )`,
    `create table checkpoint_writes (
      thread ${text} not null,
      namespace ${text} not null,
      checkpoint ${text} not null,
      task ${text} not null,
      position integer not null,
      channel ${text} not null,
      format ${text} not null,
      value ${bytes} not null,
      task_path ${text} not null,
      constraint checkpoint_writes_key primary key (thread, namespace, checkpoint, task, position)
    )`,
    `create table checkpoint_fences (thread ${text} primary key, token bigint not null)`,
  ];
}
