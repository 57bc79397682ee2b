import type { Route } from "../door/guard.ts";
import { listAgentsRoutes, type AgentsParts } from "./agents-routes.ts";
import { listChatsRoutes, type ChatsParts } from "./chats-routes.ts";
import { listConfigRoutes, type ConfigParts } from "./config-routes.ts";
import { listGrantsRoutes, type GrantsParts } from "./grants-routes.ts";
import { listMcpRoutes, type McpParts } from "./mcp-routes.ts";
import { listMemoryRoutes, type MemoryParts } from "./memory-routes.ts";
import { listPersonasRoutes, type PersonasParts } from "./personas-routes.ts";
import { listPeopleRoutes, type PeopleParts } from "./people-routes.ts";
import { listReminderRoutes, type ReminderParts } from "./reminder-routes.ts";
import { listRolesRoutes, type RolesParts } from "./roles-routes.ts";
import { listSearchRoutes, type SearchParts } from "./search-routes.ts";
import { listQuestionRoutes, type QuestionParts } from "./question-routes.ts";
import { listSessionRoutes, type SessionParts } from "./session-routes.ts";
import { listSignInRoutes, type SignInParts } from "./sign-in-routes.ts";
import { listSkillsRoutes, type SkillsParts } from "./skills-routes.ts";
import { listStreamRoutes, type StreamParts } from "./stream-routes.ts";
import { listStrangersRoutes, type StrangersParts } from "./strangers-routes.ts";
import { listUsageAndAuditRoutes, type UsageAndAuditParts } from "./usage-and-audit-routes.ts";
import { listSystemRoutes, type SystemParts } from "./system-routes.ts";
import { listTalkRoutes, type TalkParts } from "./talk-routes.ts";
import { listTodayRoutes, type TodayParts } from "./today-routes.ts";
import { listToolsRoutes, type ToolsParts } from "./tools-routes.ts";
import { listCardRoutes } from "./card-routes.ts";
import { listTrialRoutes, type TrialParts } from "./trial-routes.ts";
import { listTurnRoutes, type TurnParts } from "./turn-routes.ts";
import { listWorldlineRoutes, type WorldlineParts } from "./worldline-routes.ts";

export type RouteParts = SignInParts &
  TodayParts &
  StrangersParts &
  RolesParts &
  QuestionParts &
  ChatsParts &
  TurnParts &
  SessionParts &
  WorldlineParts &
  SearchParts &
  StreamParts &
  TalkParts &
  SystemParts &
  UsageAndAuditParts &
  ConfigParts &
  ToolsParts &
  GrantsParts &
  McpParts &
  AgentsParts &
  PeopleParts &
  MemoryParts &
  PersonasParts &
  ReminderParts &
  SkillsParts &
  TrialParts;

/** Every route below /api. */
export function listRoutes(parts: RouteParts): readonly Route[] {
  return [
    ...listSignInRoutes(parts),
    ...listTodayRoutes(parts),
    ...listStrangersRoutes(parts),
    ...listRolesRoutes(parts),
    ...listQuestionRoutes(parts),
    ...listChatsRoutes(parts),
    ...listTurnRoutes(parts),
    ...listSessionRoutes(parts),
    ...listWorldlineRoutes(parts),
    ...listSearchRoutes(parts),
    ...listStreamRoutes(parts),
    ...listTalkRoutes(parts),
    ...listSystemRoutes(parts),
    ...listUsageAndAuditRoutes(parts),
    ...listConfigRoutes(parts),
    ...listToolsRoutes(parts),
    ...listGrantsRoutes(parts),
    ...listMcpRoutes(parts),
    ...listAgentsRoutes(parts),
    ...listPeopleRoutes(parts),
    ...listPersonasRoutes(parts),
    ...listMemoryRoutes(parts),
    ...listReminderRoutes(parts),
    ...listSkillsRoutes(parts),
    ...listTrialRoutes(parts),
    ...listCardRoutes(parts),
  ];
}
