import type { Logger } from "pino";
import type { Clock } from "../../core/clock.ts";
import type { Persona } from "../../core/persona/persona.ts";
import type { PhrasePicker } from "../../core/persona/phrase-picker.ts";
import type { VoiceCounts } from "../../core/persona/voice-counts.ts";
import { createSpokenPersona } from "../../core/persona/spoken-persona.ts";
import type { Models } from "../../models/types.ts";
import type { Store } from "../../store/open-store.ts";
import { listGrantsFor } from "../../store/queries/grants.ts";
import { findSessionMode } from "../../store/queries/sessions.ts";
import type { MessageWindow } from "../../store/queries/messages.ts";
import { createDescribeTool } from "../tools/describe-tool.ts";
import type { ToolExecutor } from "../tools/executor.ts";
import type { PermissionRules } from "../gate/permission.ts";
import type { FindRole } from "../gate/resolve-current-role.ts";
import { createPermissionChecker } from "../gate/permission-checker.ts";
import { createRecordDecisions } from "../gate/record-decisions.ts";
import type { ToolRegistry } from "../tools/registry.ts";
import type { ReadFile } from "../../workspace/types.ts";
import { createAgent, type Agent } from "./agent.ts";
import type { FindContext, ReadHistory, TurnInput, TurnRun } from "./types.ts";
import { StoreCheckpointSaver } from "./checkpoint-saver.ts";
import { createChooseWindow } from "./context/choose-window.ts";
import type { ContextPlan } from "./context/plan-context.ts";
import { createRecallLore } from "./context/recall-lore.ts";
import type { HistoryMessage } from "./history-label.ts";
import { leaveOutRunTrees } from "./leave-out-run-trees.ts";
import { createOfferedTools, type DownServer } from "./offered-tools.ts";
import { createToolMeasure } from "./server-tools.ts";
import { createPictureLoader } from "./load-pictures.ts";
import { createContextBuild } from "./nodes/context-build.ts";
import { createEnforce } from "./nodes/enforce.ts";
import { createGenerate } from "./nodes/generate.ts";
import { createJudge } from "./nodes/judge.ts";
import { createRoute } from "./nodes/route.ts";
import { createSkillActivate } from "./nodes/skill-activate.ts";
import type { TurnSkills } from "./turn-skills.ts";
import { createToolCall } from "./nodes/tool-call.ts";
import { createValidate } from "./nodes/validate.ts";
import { createWork } from "./sub-agents/work.ts";
import { createPlanCalls } from "./plan-calls.ts";
import { createRunCalls } from "./run-calls.ts";

export interface ThinkingParts {
  readonly store: Store;
  readonly registry: ToolRegistry;
  readonly executor: ToolExecutor;
  readonly models: Models;
  /** The models that answer people. A chat may have chosen the first of them. */
  readonly chooseModels: (chosen: string | undefined) => Models;
  /** The models of a sub-agent, by tier or model name. */
  readonly findModels: (name: string) => Models;
  readonly rules: () => PermissionRules;
  readonly findRole: FindRole;
  /** The persona that speaks in a session. */
  readonly personaOf: (session: string) => Persona;
  readonly findContext: FindContext;
  readonly skills: TurnSkills;
  readonly phrases: PhrasePicker;
  readonly voiceCounts: VoiceCounts;
  /** Replies between two reminders of the persona. */
  readonly anchorEvery: () => number;
  readonly rounds: () => { readonly chat: number; readonly working: number };
  /** Tokens that definitions of server tools may take in a prompt. */
  readonly serverToolLimits: () => { readonly tokens: number; readonly max: number };
  readonly downServers: () => readonly DownServer[];
  /** Abilities that are not configured here, named by features. */
  readonly lacking: readonly string[];
  /** For the model that a chat has chosen, or the default one. */
  readonly plan: (chosen: string | undefined) => ContextPlan;
  readonly readHistory: (session: string, window: MessageWindow) => Promise<readonly HistoryMessage[]>;
  readonly readFile: ReadFile;
  readonly listWaiting: (session: string) => Promise<ReadonlyMap<string, string>>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Creates the nodes with their dependencies, and the agent that runs them. */
export function createThinking(parts: ThinkingParts): Agent {
  const { clock, executor, listWaiting, log, models, personaOf, phrases, plan, registry, rounds, rules } = parts;
  leaveOutRunTrees();
  const loadPictures = createPictureLoader(parts.readFile);
  const spokenPersona = createSpokenPersona(personaOf);
  const describeTool = createDescribeTool();
  const measured = createToolMeasure(describeTool);
  const serverTools = () => ({ ...parts.serverToolLimits(), measure: measured });
  const offeredTools = createOfferedTools({
    registry,
    rules,
    serverTools,
    downServers: parts.downServers,
    lacking: parts.lacking,
  });
  const planCalls = createPlanCalls({ registry });
  const runCalls = createRunCalls({ executor, skills: parts.skills });
  const readHistory = rememberHistory(parts.readHistory);
  const findMode = (session: string) => findSessionMode(parts.store.main, session);
  const findGrants = ({ session, person, turn }: TurnInput, policy: string) =>
    listGrantsFor(parts.store.main, { session, person: person.id, turn, policy, now: clock.now() });
  return createAgent({
    nodes: {
      contextBuild: createContextBuild({
        clock,
        inputs: () => models.inputs,
        chooseWindow: createChooseWindow(parts.store.main, plan),
        recallLore: createRecallLore(personaOf),
        readHistory,
        anchorEvery: parts.anchorEvery,
        findMode,
        findContext: parts.findContext,
      }),
      route: createRoute({ offeredTools }),
      skillActivate: createSkillActivate({ skills: parts.skills, store: parts.store }),
      generate: createGenerate({
        chooseModels: parts.chooseModels,
        describeTool,
        offeredTools,
        spokenPersona,
        readHistory,
        loadPictures,
        rounds,
      }),
      judge: createJudge({
        registry,
        check: createPermissionChecker({ findTool: registry.find, rules }),
        isUnloaded: offeredTools.isUnloaded,
        listGiven: (state) => offeredTools.now(state).map(({ name }) => name),
        rules,
        listWaiting,
        findGrants,
        findMode,
        findRole: parts.findRole,
        record: createRecordDecisions({ store: parts.store, clock }),
      }),
      toolCall: createToolCall({ planCalls, runCalls }),
      work: createWork({ findModels: parts.findModels, registry, describeTool, loadPictures }),
      validate: createValidate({
        spokenPersona,
        counts: parts.voiceCounts,
        onBreak: (turn, broken) => log.info({ turn, ...broken }, "an answer broke character"),
      }),
      enforce: createEnforce({
        spokenPersona,
        counts: parts.voiceCounts,
        chooseFallback: ({ input: { language, session } }) => {
          const { languages, phrases: own } = personaOf(session);
          const native = own[language] ?? own[languages[0] ?? "zh"];
          return native ? phrases.pick(session, `${language} fallback`, native.fallback) : "……";
        },
      }),
    },
    saver: new StoreCheckpointSaver(parts.store, "hold"),
    planCalls,
    runCalls,
    db: parts.store.main,
    log,
  });
}

/** The conversation before a turn does not change while the turn runs, so each window is read once per run. */
function rememberHistory(read: ThinkingParts["readHistory"]): ReadHistory {
  const cache = new WeakMap<TurnRun, Map<string, ReturnType<typeof read>>>();
  return (run, session, window) => {
    const ofRun = cache.get(run) ?? new Map<string, ReturnType<typeof read>>();
    cache.set(run, ofRun);
    const key = `${window.from} ${window.upTo} ${window.summaries?.at(-1)}`;
    const history = ofRun.get(key) ?? read(session, window);
    ofRun.set(key, history);
    return history;
  };
}
