import { accountLinks } from "../features/account-links/account-links.ts";
import { backup } from "../features/backup/backup.ts";
import { cards } from "../features/cards/cards.ts";
import { chatlog } from "../features/chatlog/chatlog.ts";
import { contactRequests } from "../features/contact-requests/contact-requests.ts";
import { consoleDoor } from "../features/console-door/console-door.ts";
import { erase } from "../features/erase/erase.ts";
import { exporting } from "../features/export/export.ts";
import { mcp } from "../features/mcp/mcp.ts";
import { groupSense } from "../features/group-sense/group-sense.ts";
import { memory } from "../features/memory/memory.ts";
import { oversight } from "../features/oversight/oversight.ts";
import { ownTools } from "../features/own-tools/own-tools.ts";
import { preview } from "../features/preview/preview.ts";
import { reminders } from "../features/reminders/reminders.ts";
import { subAgents } from "../features/sub-agents/sub-agents.ts";
import { summaries } from "../features/summaries/summaries.ts";
import { skills } from "../features/skills/skills.ts";
import { updates } from "../features/updates/updates.ts";
import { voice } from "../features/voice/voice.ts";
import { workTools } from "../features/work-tools/work-tools.ts";
import { worldlines } from "../features/worldlines/worldlines.ts";
import type { Feature } from "../kernel/feature/define-feature.ts";
import { createToolNames } from "../kernel/tools/table/tool-names.ts";
import { joinTables } from "../store/tables/join-tables.ts";

/**
 * Every ability of Kurisu besides talking, in the order of hook calls and of command lists. The chat log comes before
 * memory in `heard`: a fact names the logged message that it is from.
 */
export const features: readonly Feature[] = [
  workTools, // files, commands, pages of the web, the file that is sent to a chat
  cards, // character cards become personas
  reminders, // says or does something at a time
  summaries, // long conversations fit a prompt
  groupSense, // which words of a group are meant for her
  chatlog, // the log of every chat, and its search
  memory, // facts about people, and their habits
  erase, // forgets a person
  exporting, // hands over a conversation, or all that is kept of a person
  backup, // all data in one file, and every hour by itself
  updates, // which versions ran here, and what an update changed
  oversight, // usage, and the proof of what was done
  preview, // tries calls out before an approval
  voice, // hears and sends voice messages
  worldlines, // goes back to an earlier point of a conversation
  subAgents, // separate pieces of work
  ownTools, // tools that the operator writes
  contactRequests, // friend and group requests of QQ
  accountLinks, // one person with several accounts
  consoleDoor, // codes for the web console
  mcp, // MCP servers, and our tools for other agents
  skills, // knowledge and tools that a message calls for
];

/** Every table of the database. */
export const tables = joinTables(features);

/** The names of built-in tools. */
export const toolNames = createToolNames(features);
