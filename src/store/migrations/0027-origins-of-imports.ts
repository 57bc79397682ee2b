import type { Engine } from "./engine.ts";

/** Which chat of a platform an import is of: schema/log-tables.ts has the meaning. */
export function keepOrigins({ text }: Engine): readonly string[] {
  return [`alter table log_chats add column origin ${text}`];
}
