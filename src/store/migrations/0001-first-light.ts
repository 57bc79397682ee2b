import type { Kysely } from "kysely";
import type { Engine } from "./engine.ts";

type Schema = Kysely<unknown>["schema"];

export async function createTables(schema: Schema, engine: Engine): Promise<void> {
  await schema
    .createTable("sessions")
    .addColumn("id", engine.text, (column) => column.primaryKey())
    .addColumn("platform", engine.text, (column) => column.notNull())
    .addColumn("account", engine.text, (column) => column.notNull())
    .addColumn("chat", engine.text, (column) => column.notNull())
    .addColumn("thread", engine.text)
    .addColumn("chat_kind", engine.text, (column) => column.notNull())
    .addColumn("branch", engine.text, (column) => column.notNull())
    .addColumn("head", "bigint")
    .addColumn("start_position", "bigint", (column) => column.notNull())
    .addColumn("last_position", "bigint", (column) => column.notNull())
    .addColumn("language", engine.text, (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .execute();
  await schema
    .createTable("people")
    .addColumn("id", engine.text, (column) => column.primaryKey())
    .addColumn("name", engine.text, (column) => column.notNull())
    .addColumn("role", engine.text, (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .execute();
  await schema
    .createTable("pairings")
    .addColumn("person", engine.text, (column) => column.primaryKey())
    .addColumn("name", engine.text, (column) => column.notNull())
    .addColumn("code", engine.text, (column) => column.notNull().unique())
    .addColumn("session", engine.text, (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .execute();
  await schema
    .createTable("inbox")
    .addColumn("seq", engine.counter, engine.countUp)
    .addColumn("id", engine.text, (column) => column.notNull().unique())
    .addColumn("platform", engine.text, (column) => column.notNull())
    .addColumn("account", engine.text, (column) => column.notNull())
    .addColumn("event_key", engine.text, (column) => column.notNull())
    .addColumn("session", engine.text, (column) => column.notNull())
    .addColumn("kind", engine.text, (column) => column.notNull())
    .addColumn("payload", engine.text, (column) => column.notNull())
    .addColumn("state", engine.text, (column) => column.notNull())
    .addColumn("attempts", "integer", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("finished_at", "bigint")
    .addUniqueConstraint("inbox_event", ["platform", "account", "event_key"])
    .execute();
  await schema.createIndex("inbox_work").on("inbox").columns(["state", "session", "seq"]).execute();
  await schema
    .createTable("turns")
    .addColumn("id", engine.text, (column) => column.primaryKey())
    .addColumn("session", engine.text, (column) => column.notNull())
    .addColumn("inbox", engine.text, (column) => column.notNull().unique())
    .addColumn("state", engine.text, (column) => column.notNull())
    .addColumn("outcome", engine.text)
    .addColumn("input", engine.text, (column) => column.notNull())
    .addColumn("policy", engine.text, (column) => column.notNull())
    .addColumn("owner", engine.text, (column) => column.notNull())
    .addColumn("lease_until", "bigint", (column) => column.notNull())
    .addColumn("token", "bigint", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("updated_at", "bigint", (column) => column.notNull())
    .execute();
  await schema.createIndex("turns_state").on("turns").columns(["state", "session"]).execute();
  await schema
    .createTable("messages")
    .addColumn("id", engine.counter, engine.countUp)
    .addColumn("session", engine.text, (column) => column.notNull())
    .addColumn("branch", engine.text, (column) => column.notNull())
    .addColumn("parent", "bigint")
    .addColumn("position", "bigint", (column) => column.notNull())
    .addColumn("turn", engine.text)
    .addColumn("question", engine.text)
    .addColumn("role", engine.text, (column) => column.notNull())
    .addColumn("content", engine.text, (column) => column.notNull())
    .addColumn("taint", engine.text, (column) => column.notNull())
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
    .addColumn("id", engine.text, (column) => column.primaryKey())
    .addColumn("code", engine.text, (column) => column.notNull())
    .addColumn("session", engine.text, (column) => column.notNull())
    .addColumn("turn", engine.text, (column) => column.notNull())
    .addColumn("interrupt", engine.text, (column) => column.notNull())
    .addColumn("asker", engine.text, (column) => column.notNull())
    .addColumn("asker_name", engine.text, (column) => column.notNull())
    .addColumn("state", engine.text, (column) => column.notNull())
    .addColumn("decision", engine.text)
    .addColumn("policy", engine.text, (column) => column.notNull())
    .addColumn("prompt_message", engine.text)
    .addColumn("shown_after", "bigint")
    .addColumn("deadline", "bigint", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("closed_at", "bigint")
    .addColumn("closed_by", engine.text)
    .addColumn("closed_how", engine.text)
    .addUniqueConstraint("questions_interrupt", ["turn", "interrupt"])
    .execute();
  await schema.createIndex("questions_open").on("questions").columns(["state", "session"]).execute();
  await schema.createIndex("questions_session").on("questions").columns(["session", "closed_at"]).execute();
  await schema
    .createTable("question_calls")
    .addColumn("question", engine.text, (column) => column.notNull())
    .addColumn("call", engine.text, (column) => column.notNull())
    .addColumn("position", "integer", (column) => column.notNull())
    .addColumn("tool", engine.text, (column) => column.notNull())
    .addColumn("arguments", engine.text, (column) => column.notNull())
    .addColumn("hash", engine.text, (column) => column.notNull())
    .addColumn("summary", engine.text, (column) => column.notNull())
    .addColumn("detail", engine.text, (column) => column.notNull())
    .addColumn("state", engine.text, (column) => column.notNull())
    .addPrimaryKeyConstraint("question_calls_key", ["question", "call"])
    .execute();
  await schema
    .createTable("tool_ledger")
    .addColumn("turn", engine.text, (column) => column.notNull())
    .addColumn("call", engine.text, (column) => column.notNull())
    .addColumn("tool", engine.text, (column) => column.notNull())
    .addColumn("hash", engine.text, (column) => column.notNull())
    .addColumn("state", engine.text, (column) => column.notNull())
    .addColumn("outcome", engine.text)
    .addColumn("token", "bigint", (column) => column.notNull())
    .addColumn("started_at", "bigint", (column) => column.notNull())
    .addColumn("finished_at", "bigint")
    .addPrimaryKeyConstraint("tool_ledger_key", ["turn", "call"])
    .execute();
  await schema
    .createTable("outbox")
    .addColumn("seq", engine.counter, engine.countUp)
    .addColumn("id", engine.text, (column) => column.notNull().unique())
    .addColumn("session", engine.text, (column) => column.notNull())
    .addColumn("turn", engine.text)
    .addColumn("cause", engine.text)
    .addColumn("state", engine.text, (column) => column.notNull())
    .addColumn("payload", engine.text, (column) => column.notNull())
    .addColumn("sent_parts", engine.text, (column) => column.notNull())
    .addColumn("preview", engine.text)
    .addColumn("attempts", "integer", (column) => column.notNull())
    .addColumn("not_before", "bigint", (column) => column.notNull())
    .addColumn("reason", engine.text)
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("sent_at", "bigint")
    .execute();
  await schema.createIndex("outbox_work").on("outbox").columns(["state", "session", "seq"]).execute();
  await schema
    .createTable("audit")
    .addColumn("seq", engine.counter, engine.countUp)
    .addColumn("at", "bigint", (column) => column.notNull())
    .addColumn("actor", engine.text, (column) => column.notNull())
    .addColumn("action", engine.text, (column) => column.notNull())
    .addColumn("session", engine.text)
    .addColumn("turn", engine.text)
    .addColumn("call", engine.text)
    .addColumn("detail", engine.text, (column) => column.notNull())
    .execute();
}

export async function createCheckpointTables(schema: Schema, engine: Engine): Promise<void> {
  await schema
    .createTable("checkpoints")
    .addColumn("thread", engine.text, (column) => column.notNull())
    .addColumn("namespace", engine.text, (column) => column.notNull())
    .addColumn("id", engine.text, (column) => column.notNull())
    .addColumn("parent", engine.text)
    .addColumn("format", engine.text, (column) => column.notNull())
    .addColumn("checkpoint", engine.bytes, (column) => column.notNull())
    .addColumn("metadata", engine.bytes, (column) => column.notNull())
    .addPrimaryKeyConstraint("checkpoints_key", ["thread", "namespace", "id"])
    .execute();
  await schema
    .createTable("checkpoint_writes")
    .addColumn("thread", engine.text, (column) => column.notNull())
    .addColumn("namespace", engine.text, (column) => column.notNull())
    .addColumn("checkpoint", engine.text, (column) => column.notNull())
    .addColumn("task", engine.text, (column) => column.notNull())
    .addColumn("position", "integer", (column) => column.notNull())
    .addColumn("channel", engine.text, (column) => column.notNull())
    .addColumn("format", engine.text, (column) => column.notNull())
    .addColumn("value", engine.bytes, (column) => column.notNull())
    .addColumn("task_path", engine.text, (column) => column.notNull())
    .addPrimaryKeyConstraint("checkpoint_writes_key", ["thread", "namespace", "checkpoint", "task", "position"])
    .execute();
  await schema
    .createTable("checkpoint_fences")
    .addColumn("thread", engine.text, (column) => column.primaryKey())
    .addColumn("token", "bigint", (column) => column.notNull())
    .execute();
}
