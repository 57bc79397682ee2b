import { makeVisible } from "../../core/persona/show-payload.ts";
import type { Store } from "../../store/open-store.ts";
import { findTodoList } from "../../store/queries/todos.ts";
import type { CommandAnswer, CommandCall } from "./command-call.ts";

const marks = { pending: "○", active: "▸", done: "✓" } as const;

/** `/todo` */
export function createShowTodoList({ store }: { readonly store: Store }) {
  return async ({ session, words }: CommandCall): Promise<CommandAnswer> => {
    const items = (await findTodoList(store.main, session))?.items ?? [];
    if (items.length === 0) return { text: words.todo.empty };
    const done = items.filter(({ status }) => status === "done").length;
    const lines = items.map(({ text, status }) => `${marks[status]} ${makeVisible(text.replaceAll(/\s+/g, " "))}`);
    return { text: [words.todo.heading({ done, all: items.length }), ...lines].join("\n") };
  };
}
