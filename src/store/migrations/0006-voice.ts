import type { Engine } from "./engine.ts";

/** Whether she speaks in a chat: schema/database.ts has the meaning. */
export function addVoice({ text }: Engine): readonly string[] {
  return [`alter table sessions add column voice ${text}`];
}
