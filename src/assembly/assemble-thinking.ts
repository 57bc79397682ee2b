import type { Logger } from "pino";
import type { Agent } from "../kernel/agent/agent.ts";
import type { TurnInput } from "../kernel/agent/types.ts";
import type { ThinkingParts } from "../kernel/agent/create-thinking.ts";
import { planContext } from "../kernel/agent/context/plan-context.ts";
import { readPromptHistory } from "../kernel/agent/context/choose-window.ts";
import { createSummariser, type Summariser } from "../features/summaries/summariser.ts";
import type { Configuration } from "../config.ts";
import type { Clock } from "../core/clock.ts";
import { resolveCurrentRole } from "../kernel/gate/resolve-current-role.ts";
import type { Person } from "../kernel/gate/types.ts";
import { createPhrasePicker } from "../core/persona/phrase-picker.ts";
import type { Store } from "../store/open-store.ts";
import { findSession, type SessionRow } from "../store/queries/sessions.ts";
import { findTurn } from "../store/queries/turns.ts";
import type { KeepResult } from "../kernel/tools/keep-result.ts";
import { listOpenQuestions } from "../store/queries/questions.ts";

type Given =
  | "meaning"
  | "registry"
  | "executor"
  | "models"
  | "chooseModels"
  | "findModels"
  | "findRole"
  | "readFile"
  | "skills"
  | "personaOf"
  | "voiceCounts"
  | "downServers"
  | "lacking";

/** The agent, by the configuration of the moment. */
export async function assembleThinking(
  configuration: () => Configuration,
  parts: Pick<ThinkingParts, Given> & { readonly store: Store; readonly clock: Clock; readonly log: Logger },
): Promise<Agent> {
  const { store } = parts;
  // LangGraph takes a second to load; only what really thinks waits for it.
  const { createThinking } = await import("../kernel/agent/create-thinking.ts");
  return createThinking({
    ...parts,
    rules: () => configuration().tools,
    memory: () => configuration().memory,
    phrases: createPhrasePicker(),
    rounds: () => configuration().agents.rounds,
    anchorEvery: () => configuration().agents.anchorEvery,
    serverToolLimits: () => configuration().agents.serverToolLimits,
    plan: (chosen) => planContext(configuration().agents.window, parts.chooseModels(chosen).contextTokens),
    readHistory: (session, window) => readPromptHistory(store.main, session, window),
    listWaiting: async (session) => {
      const open = await listOpenQuestions(store.main, session);
      return new Map(open.flatMap((question) => question.calls.map((call) => [call.hash, question.code])));
    },
  });
}

/** The summaries that make long conversations fit a prompt, by the models of the tier small. */
export function assembleSummariser(
  configuration: () => Configuration,
  parts: Pick<ThinkingParts, "chooseModels" | "findModels" | "findRole"> & {
    readonly keepResult: KeepResult;
    readonly store: Store;
    readonly clock: Clock;
    readonly log: Logger;
  },
): Summariser {
  const { findRole, keepResult, store, clock, log } = parts;
  return createSummariser({
    store,
    plan: (chosen) => planContext(configuration().agents.window, parts.chooseModels(chosen).contextTokens),
    models: () => parts.findModels("small"),
    async keepWhole({ session, taint, text, turn }, call) {
      const [row, began] = await Promise.all([findSession(store.main, session), findTurn(store.main, turn)]);
      const chatKind = row?.chat_kind === "private" ? "private" : "group";
      const person = began ? (JSON.parse(began.input) as TurnInput).person : nameOfChat(row);
      const asNow = await resolveCurrentRole(findRole, person, session);
      const place = { session, person: asNow, chatKind, taint, now: clock.now() } as const;
      const kept = await keepResult(place, `${turn}-${call}-said.txt`, text);
      if (kept.ok) return { path: kept.path };
      return kept.refused ? { refused: kept.error } : undefined;
    },
    clock,
    log,
  });
}

/** Stands in for the author of a turn that was deleted: in a private chat the person of the chat, in a group a guest, who may do the least. */
function nameOfChat(row: SessionRow | undefined): Person {
  const isPrivate = row?.chat_kind === "private";
  return { id: `${row?.platform ?? ""}:${row?.chat ?? ""}`, name: "", role: isPrivate ? "member" : "guest" };
}
