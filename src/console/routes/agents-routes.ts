import type { Clock } from "../../core/clock.ts";
import type { Language } from "../../core/conversation.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import type { ConsoleHooks, ListedAgent } from "../../kernel/feature/console-hooks.ts";
import type { Store } from "../../store/open-store.ts";
import { findListedSessions } from "../../store/queries/session-list.ts";
import { findLanguage } from "../door/find-language.ts";
import type { Route } from "../door/guard.ts";
import { nameSessions } from "../names/name-sessions.ts";
import type { AgentRunView, AgentsView } from "../views/abilities-views.ts";

export interface AgentsParts {
  /** Undefined where sub-agents are taken out. */
  readonly listAgents: ConsoleHooks["listAgents"];
  readonly store: Pick<Store, "main">;
  readonly language: () => Language;
  readonly clock: Clock;
}

export function listAgentsRoutes(parts: AgentsParts): readonly Route[] {
  const { clock, store } = parts;
  return [
    {
      method: "GET",
      path: "/agents",
      role: "owner",
      async answer(context) {
        const agents = (await parts.listAgents?.()) ?? [];
        const sessions = [...new Set(agents.flatMap(({ runs }) => runs.map(({ session }) => session)))];
        const chats = await nameSessions(store.main, await findListedSessions(store.main, sessions));
        const language = findLanguage(context, parts.language()) === "zh" ? "zh" : "en";
        const view: AgentsView = {
          now: clock.now(),
          items: agents.map(({ description, exclude, id, model, runs, tools }) => ({
            id,
            description: makeVisible(description[language]),
            tools,
            exclude,
            model: makeVisible(model),
            runs: runs.map((run) => showRun(run, chats)),
          })),
        };
        return context.json(view);
      },
    },
  ];
}

function showRun(run: ListedAgent["runs"][number], chats: ReadonlyMap<string, string>): AgentRunView {
  const { createdAt, id, outcome, session, state, updatedAt } = run;
  const end = outcome === "replied" ? "done" : outcome === "failed" ? "failed" : "stopped";
  return {
    turn: id,
    session,
    chat: chats.get(session) ?? makeVisible(session),
    at: createdAt,
    ...(state === "ended" && { ms: updatedAt - createdAt }),
    state: state === "ended" ? end : state,
  };
}
