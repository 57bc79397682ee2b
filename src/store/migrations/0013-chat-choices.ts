import type { Engine } from "./engine.ts";

/** The choices of a chat: schema/database.ts has the meaning. */
export function addChatChoices({ text }: Engine): readonly string[] {
  return [`alter table sessions add column model ${text}`, `alter table sessions add column chosen_language ${text}`];
}
