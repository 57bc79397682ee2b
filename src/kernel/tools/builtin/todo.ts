import type { Kysely } from "kysely";
import { z } from "zod";
import { findTodoList, saveTodoList, type TodoItem } from "../../../store/queries/todos.ts";
import type { Database } from "../../../store/schema/database.ts";
import { defineTool } from "../define-tool.ts";

/**
 * The to-do list of this conversation. It counts as read-only, so that planning needs no approval even after a web page
 * was read. In return the list stores the taint of its writer, and its readers inherit it.
 */
export function createTodoTool({ database }: { readonly database: () => Kysely<Database> }) {
  return defineTool({
    name: "todo",
    description: {
      zh: "这个会话的待办清单。给出 items 就整个换成新的清单(每项有 text 和 status);不给就返回现在的清单。步骤多的事先列出来,做到哪一步就更新到哪一步。",
      en: "The to-do list of this conversation. With items it becomes exactly these (text and status each); without, the list as it is comes back. Write down work of several steps first and keep it up to date.",
    },
    input: z.strictObject({
      items: z
        .array(
          z.strictObject({
            text: z.string().trim().min(1).max(500).describe("What is to be done."),
            status: z.enum(["pending", "active", "done"]).default("pending"),
          }),
        )
        .max(100)
        .optional()
        .describe("The whole new list, in order; [] empties it. Left out: show the list."),
    }),
    level: "safe",
    readOnly: true,
    // If a round writes two lists, the later one must win.
    concurrencySafe: false,
    idempotent: true,
    place: "gateway",
    summarize: ({ items }) => (items === undefined ? "" : summarizeItems(items)),
    async run({ items }, { session, person, taint, now }) {
      if (items === undefined) {
        const list = await findTodoList(database(), session);
        return toResult(list?.items ?? [], list?.taint);
      }
      if (person.role === "guest")
        return {
          ok: false,
          error: "Guests may look at the list but not change it; ask somebody the owner has let in.",
        };
      await saveTodoList(database(), session, { items, taint }, now);
      return toResult(items, undefined);
    },
  });
}

function toResult(items: readonly TodoItem[], taint: TodoListTaint) {
  const list = items.map(({ text, status }) => ({ text, status }));
  return { ok: true as const, output: { list }, message: summarizeItems(items), ...(taint !== undefined && { taint }) };
}

type TodoListTaint = NonNullable<Awaited<ReturnType<typeof findTodoList>>>["taint"] | undefined;

function summarizeItems(items: readonly TodoItem[]): string {
  const done = items.filter(({ status }) => status === "done").length;
  const active = items.find(({ status }) => status === "active");
  return `${done}/${items.length}${active === undefined ? "" : ` ${active.text}`}`;
}
