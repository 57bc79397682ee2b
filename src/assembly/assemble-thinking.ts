import type { Logger } from "pino";
import type { Agent } from "../agents/agent.ts";
import type { ThinkingParts } from "../agents/create-thinking.ts";
import { planContext } from "../agents/context/plan-context.ts";
import { readPromptHistory } from "../agents/context/choose-window.ts";
import { createSummariser, type Summariser } from "../agents/context/summariser.ts";
import type { Configuration } from "../config.ts";
import type { Clock } from "../core/clock.ts";
import { createPhrasePicker } from "../core/persona/phrase-picker.ts";
import type { Store } from "../store/open-store.ts";
import { findSession } from "../store/queries/sessions.ts";
import { hashContent } from "../workspace/content-version.ts";
import type { Places } from "./assemble-places.ts";
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
  | "downServers";

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
    memory: () => configuration().memory,
    phrases: createPhrasePicker(),
    rounds: () => configuration().agents.rounds,
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
  parts: Pick<ThinkingParts, "chooseModels" | "findModels"> & {
    readonly places: Pick<Places, "workspace" | "contents">;
    readonly store: Store;
    readonly clock: Clock;
    readonly log: Logger;
  },
): Summariser {
  const { places, store, clock, log } = parts;
  return createSummariser({
    store,
    plan: (chosen) => planContext(configuration().agents.window, parts.chooseModels(chosen).contextTokens),
    models: () => parts.findModels("small"),
    async keepWhole({ session, taint, text, turn }, call) {
      const path = `results/${turn}-${call}-said.txt`;
      const written = await places.workspace.write(session, path, text, "write").catch(() => undefined);
      if (!written?.ok) return undefined;
      // In a private chat every turn is one person's; in a group the file is nobody's.
      const row = await findSession(store.main, session);
      if (row?.chat_kind === "private") {
        const person = { id: `${row.platform}:${row.chat}` };
        await places.contents.keep(
          { session, person, taint, now: clock.now() },
          written.path,
          hashContent(Buffer.from(text)),
        );
      }
      return written.path;
    },
    clock,
    log,
  });
}
