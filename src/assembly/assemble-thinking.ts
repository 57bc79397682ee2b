import type { Logger } from "pino";
import type { Agent } from "../kernel/agent/agent.ts";
import type { ThinkingParts } from "../kernel/agent/create-thinking.ts";
import { readPromptHistory } from "../kernel/agent/context/choose-window.ts";
import type { Configuration } from "../config.ts";
import type { Clock } from "../core/clock.ts";
import { createPhrasePicker } from "../core/persona/phrase-picker.ts";
import type { Store } from "../store/open-store.ts";
import { listOpenQuestions } from "../store/queries/questions.ts";

type Given =
  | "findContext"
  | "plan"
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

/** The agent, following the current configuration. */
export async function assembleThinking(
  configuration: () => Configuration,
  parts: Pick<ThinkingParts, Given> & { readonly store: Store; readonly clock: Clock; readonly log: Logger },
): Promise<Agent> {
  const { store } = parts;
  // LangGraph takes a second to load, so only commands that think load it.
  const { createThinking } = await import("../kernel/agent/create-thinking.ts");
  return createThinking({
    ...parts,
    rules: () => configuration().tools,
    phrases: createPhrasePicker(),
    rounds: () => configuration().agents.rounds,
    anchorEvery: () => configuration().agents.anchorEvery,
    serverToolLimits: () => configuration().agents.serverToolLimits,
    readHistory: (session, window) => readPromptHistory(store.main, session, window),
    listWaiting: async (session) => {
      const open = await listOpenQuestions(store.main, session);
      return new Map(open.flatMap((question) => question.calls.map((call) => [call.hash, question.code])));
    },
  });
}
