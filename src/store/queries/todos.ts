import type { Kysely } from "kysely";
import type { Taint } from "../../core/conversation.ts";
import type { Database } from "../schema/database.ts";

export interface TodoItem {
  readonly text: string;
  readonly status: "pending" | "active" | "done";
}

export interface TodoList {
  readonly items: readonly TodoItem[];
  /** The label of the turn that wrote it; a reader in another turn takes it over. */
  readonly taint: Taint;
}

export async function findTodoList(db: Kysely<Database>, session: string): Promise<TodoList | undefined> {
  const row = await db.selectFrom("todos").select(["items", "taint"]).where("session", "=", session).executeTakeFirst();
  return row && { items: JSON.parse(row.items) as TodoItem[], taint: row.taint as Taint };
}

/** Puts a list in the place of the session's old one. */
export async function saveTodoList(
  db: Kysely<Database>,
  session: string,
  { items, taint }: TodoList,
  now: number,
): Promise<void> {
  const list = { items: JSON.stringify(items), taint, updated_at: now };
  await db
    .insertInto("todos")
    .values({ session, ...list })
    .onConflict((conflict) => conflict.column("session").doUpdateSet(list))
    .execute();
}
