import type { Engine } from "./engine.ts";

/** The persona that a chat has chosen: schema/database.ts has the meaning. */
export function addChosenPersonas({ text }: Engine): readonly string[] {
  return [`alter table sessions add column persona ${text}`];
}
