import type { Kysely } from "kysely";
import type { Engine } from "./engine.ts";

type Schema = Kysely<unknown>["schema"];

export async function createTables(schema: Schema, engine: Engine): Promise<void> {
  await schema
    .createTable("sessions")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("platform", "text", (column) => column.notNull())
    .addColumn("account", "text", (column) => column.notNull())
    .addColumn("chat", "text", (column) => column.notNull())
    .addColumn("thread", "text")
    .addColumn("chat_kind", "text", (column) => column.notNull())
    .addColumn("branch", "text", (column) => column.notNull())
    .addColumn("head", "bigint")
    .addColumn("start_position", "bigint", (column) => column.notNull())
    .addColumn("last_position", "bigint", (column) => column.notNull())
    .addColumn("language", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .execute();
  await schema
    .createTable("people")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("role", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .execute();
  await schema
    .createTable("pairings")
    .addColumn("person", "text", (column) => column.primaryKey())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("code", "text", (column) => column.notNull().unique())
    .addColumn("session", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .execute();
  await schema
    .createTable("inbox")
    .addColumn("seq", engine.counter, engine.countUp)
    .addColumn("id", "text", (column) => column.notNull().unique())
    .addColumn("platform", "text", (column) => column.notNull())
    .addColumn("account", "text", (column) => column.notNull())
    .addColumn("event_key", "text", (column) => column.notNull())
    .addColumn("session", "text", (column) => column.notNull())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("payload", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("attempts", "integer", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("finished_at", "bigint")
    .addUniqueConstraint("inbox_event", ["platform", "account", "event_key"])
    .execute();
  await schema.createIndex("inbox_work").on("inbox").columns(["state", "session", "seq"]).execute();
  await schema
    .createTable("turns")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("session", "text", (column) => column.notNull())
    .addColumn("inbox", "text", (column) => column.notNull().unique())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("outcome", "text")
    .addColumn("input", "text", (column) => column.notNull())
    .addColumn("policy", "text", (column) => column.notNull())
    .addColumn("owner", "text", (column) => column.notNull())
    .addColumn("lease_until", "bigint", (column) => column.notNull())
    .addColumn("token", "bigint", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("updated_at", "bigint", (column) => column.notNull())
    .execute();
  await schema.createIndex("turns_state").on("turns").columns(["state", "session"]).execute();
  await schema
    .createTable("messages")
    .addColumn("id", engine.counter, engine.countUp)
    .addColumn("session", "text", (column) => column.notNull())
    .addColumn("branch", "text", (column) => column.notNull())
    .addColumn("parent", "bigint")
    .addColumn("position", "bigint", (column) => column.notNull())
    .addColumn("turn", "text")
    .addColumn("question", "text")
    .addColumn("role", "text", (column) => column.notNull())
    .addColumn("content", "text", (column) => column.notNull())
    .addColumn("taint", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .execute();
  await schema
    .createIndex("messages_window")
    .on("messages")
    .columns(["session", "branch", "position"])
    .unique()
    .execute();
  await schema
    .createTable("questions")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("code", "text", (column) => column.notNull())
    .addColumn("session", "text", (column) => column.notNull())
    .addColumn("turn", "text", (column) => column.notNull())
    .addColumn("interrupt", "text", (column) => column.notNull())
    .addColumn("asker", "text", (column) => column.notNull())
    .addColumn("asker_name", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("decision", "text")
    .addColumn("policy", "text", (column) => column.notNull())
    .addColumn("prompt_message", "text")
    .addColumn("shown_after", "bigint")
    .addColumn("deadline", "bigint", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("closed_at", "bigint")
    .addColumn("closed_by", "text")
    .addColumn("closed_how", "text")
    .addUniqueConstraint("questions_interrupt", ["turn", "interrupt"])
    .execute();
  await schema.createIndex("questions_open").on("questions").columns(["state", "session"]).execute();
  await schema.createIndex("questions_session").on("questions").columns(["session", "closed_at"]).execute();
  await schema
    .createTable("question_calls")
    .addColumn("question", "text", (column) => column.notNull())
    .addColumn("call", "text", (column) => column.notNull())
    .addColumn("position", "integer", (column) => column.notNull())
    .addColumn("tool", "text", (column) => column.notNull())
    .addColumn("arguments", "text", (column) => column.notNull())
    .addColumn("hash", "text", (column) => column.notNull())
    .addColumn("summary", "text", (column) => column.notNull())
    .addColumn("detail", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("question_calls_key", ["question", "call"])
    .execute();
  await schema
    .createTable("tool_ledger")
    .addColumn("turn", "text", (column) => column.notNull())
    .addColumn("call", "text", (column) => column.notNull())
    .addColumn("tool", "text", (column) => column.notNull())
    .addColumn("hash", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("outcome", "text")
    .addColumn("token", "bigint", (column) => column.notNull())
    .addColumn("started_at", "bigint", (column) => column.notNull())
    .addColumn("finished_at", "bigint")
    .addPrimaryKeyConstraint("tool_ledger_key", ["turn", "call"])
    .execute();
  await schema
    .createTable("outbox")
    .addColumn("seq", engine.counter, engine.countUp)
    .addColumn("id", "text", (column) => column.notNull().unique())
    .addColumn("session", "text", (column) => column.notNull())
    .addColumn("turn", "text")
    .addColumn("cause", "text")
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("payload", "text", (column) => column.notNull())
    .addColumn("sent_parts", "text", (column) => column.notNull())
    .addColumn("preview", "text")
    .addColumn("attempts", "integer", (column) => column.notNull())
    .addColumn("not_before", "bigint", (column) => column.notNull())
    .addColumn("reason", "text")
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("sent_at", "bigint")
    .execute();
  await schema.createIndex("outbox_work").on("outbox").columns(["state", "session", "seq"]).execute();
  await schema
    .createTable("audit")
    .addColumn("seq", engine.counter, engine.countUp)
    .addColumn("at", "bigint", (column) => column.notNull())
    .addColumn("actor", "text", (column) => column.notNull())
    .addColumn("action", "text", (column) => column.notNull())
    .addColumn("session", "text")
    .addColumn("turn", "text")
    .addColumn("call", "text")
    .addColumn("detail", "text", (column) => column.notNull())
    .execute();
}

export async function createCheckpointTables(schema: Schema, engine: Engine): Promise<void> {
  await schema
    .createTable("checkpoints")
    .addColumn("thread", "text", (column) => column.notNull())
    .addColumn("namespace", "text", (column) => column.notNull())
    .addColumn("id", "text", (column) => column.notNull())
    .addColumn("parent", "text")
    .addColumn("format", "text", (column) => column.notNull())
    .addColumn("checkpoint", engine.bytes, (column) => column.notNull())
    .addColumn("metadata", engine.bytes, (column) => column.notNull())
    .addPrimaryKeyConstraint("checkpoints_key", ["thread", "namespace", "id"])
    .execute();
  await schema
    .createTable("checkpoint_writes")
    .addColumn("thread", "text", (column) => column.notNull())
    .addColumn("namespace", "text", (column) => column.notNull())
    .addColumn("checkpoint", "text", (column) => column.notNull())
    .addColumn("task", "text", (column) => column.notNull())
    .addColumn("position", "integer", (column) => column.notNull())
    .addColumn("channel", "text", (column) => column.notNull())
    .addColumn("format", "text", (column) => column.notNull())
    .addColumn("value", engine.bytes, (column) => column.notNull())
    .addColumn("task_path", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("checkpoint_writes_key", ["thread", "namespace", "checkpoint", "task", "position"])
    .execute();
  await schema
    .createTable("checkpoint_fences")
    .addColumn("thread", "text", (column) => column.primaryKey())
    .addColumn("token", "bigint", (column) => column.notNull())
    .execute();
}
