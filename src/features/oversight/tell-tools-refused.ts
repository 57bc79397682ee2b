import { oversightWords } from "./words.ts";
import type { ToolsRefused } from "../../models/create-models.ts";
import type { TellOwners } from "../../kernel/outbox/tell-owners.ts";

/** Tells the owners once that a model works without tools, or without some of them. */
export async function tellToolsRefused(tellOwners: TellOwners, { model, reason, tools }: ToolsRefused): Promise<void> {
  const names = tools.join(", ");
  await tellOwners(`tools-refused:${model}:${names}`, (_words, language) =>
    tools.length === 0
      ? oversightWords[language].noTools({ model, reason })
      : oversightWords[language].toolsLeftOut({ model, reason, tools: names }),
  );
}
