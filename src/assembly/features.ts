import { accountLinks } from "../features/account-links/account-links.ts";
import { cards } from "../features/cards/cards.ts";
import { chatlog } from "../features/chatlog/chatlog.ts";
import { contactRequests } from "../features/contact-requests/contact-requests.ts";
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
import { voice } from "../features/voice/voice.ts";
import { workTools } from "../features/work-tools/work-tools.ts";
import { worldlines } from "../features/worldlines/worldlines.ts";
import type { Feature } from "../kernel/feature/define-feature.ts";
import { createToolNames } from "../kernel/tools/table/tool-names.ts";

/**
 * Everything Kurisu can do besides talking, in the order in which hooks are called and commands are listed. The chat log hears words before
 * memory does: a fact names the logged message that it is from.
 */
export const features: readonly Feature[] = [
  workTools,
  cards,
  reminders,
  summaries,
  groupSense,
  chatlog,
  memory,
  erase,
  exporting,
  oversight,
  preview,
  voice,
  worldlines,
  subAgents,
  ownTools,
  contactRequests,
  accountLinks,
  mcp,
  skills,
];

/** The names of built-in tools. */
export const toolNames = createToolNames(features);
