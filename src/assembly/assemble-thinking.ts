import type { Logger } from "pino";
import type { Agent } from "../agents/agent.ts";
import type { ThinkingParts } from "../agents/create-thinking.ts";
import type { Configuration } from "../config.ts";
import type { Clock } from "../core/clock.ts";
import { createPhrasePicker } from "../core/persona/phrase-picker.ts";
import type { Store } from "../store/open-store.ts";
import { readWindow } from "../store/queries/messages.ts";
import { listOpenQuestions } from "../store/queries/questions.ts";

type Given = "registry" | "executor" | "models" | "findModels" | "findRole" | "readFile" | "skills";

/** The agent, by the configuration of the moment. */
export async function assembleThinking(
  configuration: () => Configuration,
  parts: Pick<ThinkingParts, Given> & { readonly store: Store; readonly clock: Clock; readonly log: Logger },
): Promise<Agent> {
  const { store } = parts;
  // LangGraph takes a second to load; only what really thinks waits for it.
  const { createThinking } = await import("../agents/create-thinking.ts");
  return createThinking({
    ...parts,
    rules: () => configuration().tools,
    persona: () => configuration().persona,
    phrases: createPhrasePicker(),
    rounds: () => configuration().agents.rounds,
    window: () => {
      const { messages: size, block } = configuration().agents.window;
      return { size, block };
    },
    readHistory: (session, window) => readWindow(store.main, session, window),
    listWaiting: async (session) => {
      const open = await listOpenQuestions(store.main, session);
      return new Map(open.flatMap((question) => question.calls.map((call) => [call.hash, question.code])));
    },
  });
}
