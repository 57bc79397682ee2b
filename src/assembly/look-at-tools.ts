import type { Configuration } from "../config.ts";
import type { Clock } from "../core/clock.ts";
import type { ToolReports } from "../kernel/socket/control-socket.ts";
import type { MCPBridge } from "../features/mcp/mcp-bridge.ts";
import { reportServer } from "../features/mcp/report-server.ts";
import { readMode } from "../kernel/gate/session-mode.ts";
import type { SessionSkills } from "../features/skills/session-skills.ts";
import type { Store } from "../store/open-store.ts";
import { listGrantsFor } from "../store/queries/grants.ts";
import { findPause } from "../store/queries/pause.ts";
import { findSession, findSessionMode, findSessionOfChat } from "../store/queries/sessions.ts";
import { findSkillTopic } from "../features/skills/queries/skills.ts";
import type { FindRole } from "../kernel/gate/resolve-current-role.ts";
import type { ToolRegistry } from "../kernel/tools/registry.ts";
import {
  explainAskedCall,
  explainToPeople,
  type AskedAbout,
  type ExplainedOrFaulty,
  type FindFacts,
} from "../kernel/tools/explain-asked-call.ts";
import { listReportedStates } from "../features/mcp/list-tool-states.ts";
import {
  defineTools,
  listDecidedToolRows,
  listToolRows,
  toolFormats,
  type DecidedToolRow,
} from "../kernel/tools/list-tool-rows.ts";

/** The tools of a running Kurisu: by its servers, its sandbox and its rules as they are now. */
export interface ToolLook {
  list(): readonly DecidedToolRow[];
  why(asked: AskedAbout): Promise<ExplainedOrFaulty>;
  /** The answers to the command `tools`. */
  readonly reports: ToolReports;
}

export function createToolLook(parts: {
  readonly configuration: () => Configuration;
  readonly registry: ToolRegistry;
  readonly mcp: Pick<MCPBridge, "views">;
  readonly findRole: FindRole;
  readonly store: Pick<Store, "main">;
  readonly skills: Pick<SessionSkills, "listHosts">;
  readonly clock: Clock;
}): ToolLook {
  const { registry, findRole, skills, clock } = parts;
  const { main } = parts.store;
  const findFacts: FindFacts = async (asked) => {
    const [platform = "", account = "", chat = ""] = asked.session.split(":");
    const named = account === "any" ? await findSessionOfChat(main, { platform, chat }) : undefined;
    const of = { ...asked, session: named ?? asked.session };
    const topic = await findSkillTopic(main, of.session);
    const isOver = (topic?.position ?? 0) <= ((await findSession(main, of.session))?.start_position ?? 0);
    const atWork = topic && !isOver ? topic.after.map(({ skill }) => skill) : [];
    return {
      hosts: await skills.listHosts(of.session, atWork),
      // A grant for one task holds in that task only, and this call is in none.
      grants: await listGrantsFor(main, { ...of, turn: "", now: clock.now() }),
      mode: readMode(await findSessionMode(main, of.session)),
      paused: (await findPause(main)) !== undefined,
    };
  };
  const look = () => ({ registry, configuration: parts.configuration(), findRole, findFacts });
  const states = () => listReportedStates(parts.mcp.views().map(reportServer));
  return {
    list: () => listDecidedToolRows(look(), states()),
    why: (asked) => explainAskedCall(look(), asked),
    reports: {
      list: () => JSON.stringify(listToolRows(look(), states())),
      define: (format) => JSON.stringify(defineTools(look(), toolFormats.find((one) => one === format) ?? "openai")),
      why: async (asked) => JSON.stringify(await explainToPeople(look(), JSON.parse(asked) as AskedAbout)),
    },
  };
}
