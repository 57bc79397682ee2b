import { createAuditTables } from "./audit.ts";
import { createChatTables } from "./chats.ts";
import { createContextTables } from "./context.ts";
import { createConversationTables } from "./conversation.ts";
import type { Engine } from "./engine.ts";
import { createPeopleTables } from "./people.ts";
import { createQqTables } from "./qq.ts";
import { createQuestionTables } from "./questions.ts";
import { createSkillTables } from "./skills.ts";
import { createTurnTables } from "./turns.ts";

/** In this order: an index or a trigger comes after the table of another domain that it depends on. */
const domains = [
  createConversationTables,
  createChatTables,
  createContextTables,
  createTurnTables,
  createPeopleTables,
  createQuestionTables,
  createAuditTables,
  createSkillTables,
  createQqTables,
] as const;

/** The kernel's tables of the main database; the files of schema/ say what their columns hold. */
export function createTables(engine: Engine): readonly string[] {
  return domains.flatMap((create) => create(engine));
}
