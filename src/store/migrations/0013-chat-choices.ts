import type { Engine } from "./engine.ts";

/** What a chat has chosen for itself: schema/database.ts has the meaning. */
export function addChatChoices({ text }: Engine): readonly string[] {
  return [`alter table sessions add column model ${text}`, `alter table sessions add column chosen_language ${text}`];
}
