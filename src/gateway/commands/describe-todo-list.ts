import { makeVisible } from "../../core/persona/show-payload.ts";
import type { Words } from "../../core/words/dictionary.ts";
import type { TodoItem } from "../../store/queries/todos.ts";

const marks = { pending: "○", active: "▸", done: "✓" } as const;

export function describeTodoList(items: readonly TodoItem[], words: Words): string {
  if (items.length === 0) return words.todo.empty;
  const done = items.filter(({ status }) => status === "done").length;
  const lines = items.map(({ text, status }) => `${marks[status]} ${makeVisible(text.replaceAll(/\s+/g, " "))}`);
  return [words.todo.heading({ done, all: items.length }), ...lines].join("\n");
}
