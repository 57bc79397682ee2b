import type { ModelStatus } from "../../models/types.ts";
import type { Clock } from "../../core/clock.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import type { Words } from "../../core/words/dictionary.ts";
import type { Store } from "../../store/open-store.ts";
import { findTodoList } from "../../store/queries/todos.ts";
import type { Scrub } from "../tools/key-argument.ts";
import type { FindVoice } from "../tools/persona-wrapper.ts";
import type { Workspace } from "../../workspace/types.ts";
import type { ParkedTurns } from "../questions/parked-turns.ts";
import type { QuestionCards } from "../questions/question-cards.ts";
import type { InboxDispatcher } from "../lanes/inbox-dispatcher.ts";
import type { CallHooks } from "../feature/call-hooks.ts";
import type { KillSwitch } from "../pause/kill-switch.ts";
import type { Channel } from "../../channels/types.ts";
import type { Access } from "../people/access.ts";
import type { Roles } from "../people/find-role.ts";
import type { Tasks } from "../tasks/tasks.ts";
import type { BusyOptions } from "../turns/busy-options.ts";
import type { InboxItem } from "../../store/queries/inbox.ts";
import { createChooseBusy } from "./choose-busy.ts";
import type { CommandAnswer, CommandCall } from "./command-call.ts";
import { createChooseLanguage } from "./choose-language.ts";
import type { ChosenPersonas } from "../../core/persona/chosen-personas.ts";
import type { VoiceCounts } from "../../core/persona/voice-counts.ts";
import { createChoosePersona } from "./choose-persona.ts";
import { createChooseModel } from "./choose-model.ts";
import { createGrantCommands } from "./grant-commands.ts";
import { createGreet } from "./greet.ts";
import { createPlanMode } from "./plan-mode.ts";
import { createShowStatus } from "./show-status.ts";
import { createStopWork } from "./stop-work.ts";
import { createTrustPeople } from "./trust-people.ts";
import { createUndoDeletion } from "./undo-deletion.ts";

const todoMarks = { pending: "○", active: "▸", done: "✓" } as const;

/** The handlers that the rows of the command table call. */
export type CommandHandlers = ReturnType<typeof createCommandHandlers>;

export function createCommandHandlers(parts: {
  readonly store: Store;
  readonly access: Access;
  readonly findChannel: (platform: string) => Channel | undefined;
  readonly roles: Roles;
  readonly parked: ParkedTurns;
  readonly cards: QuestionCards;
  readonly tasks: Tasks;
  readonly describeFeatures: CallHooks["status"];
  readonly scrub: Scrub;
  readonly policy: () => string;
  readonly abortTurn: (session: string) => boolean;
  readonly inbox: Pick<InboxDispatcher, "listBehind" | "dropWords">;
  readonly isBusy: (session: string) => boolean;
  readonly busy: () => BusyOptions;
  readonly joins: (platform: string) => boolean;
  readonly pushToLane: (item: InboxItem) => void;
  readonly describeModel: (words: Words) => string;
  readonly listChoices: () => readonly string[];
  readonly modelStatus: () => readonly ModelStatus[];
  readonly describeSandbox: (words: Words) => string;
  readonly canRunCommands: () => boolean;
  /** Changed keys of the configuration that wait for a restart. */
  readonly waitingKeys: () => readonly string[];
  readonly refusedFiles: () => readonly string[];
  readonly workspace: Pick<Workspace, "restore">;
  readonly killSwitch: KillSwitch;
  readonly hooks: Pick<CallHooks, "startedOver">;
  readonly voice: FindVoice;
  readonly personas: ChosenPersonas;
  /** How drafts were mended. */
  readonly voiceCounts: Pick<VoiceCounts, "lastIn">;
  readonly faultyPersonas: () => readonly string[];
  readonly zone: () => string;
  readonly clock: Clock;
}) {
  const { store, access } = parts;
  const grants = createGrantCommands(parts);

  async function showTodoList({ session, words }: CommandCall): Promise<CommandAnswer> {
    const items = (await findTodoList(store.main, session))?.items ?? [];
    if (items.length === 0) return { text: words.todo.empty };
    const done = items.filter(({ status }) => status === "done").length;
    const lines = items.map(({ text, status }) => `${todoMarks[status]} ${makeVisible(text.replaceAll(/\s+/g, " "))}`);
    return { text: [words.todo.heading({ done, all: items.length }), ...lines].join("\n") };
  }

  async function pair({ message, words, rest }: CommandCall): Promise<CommandAnswer> {
    if (rest === "" && message.chatKind === "group") {
      await access.openGroup(message.address);
      return { text: words.access.groupOn };
    }
    if (rest === "") return { text: words.access.pairUsage };
    const accepted = await access.acceptCode(rest);
    if (!accepted) return { text: words.access.wrongCode };
    return {
      text: words.access.personApproved(accepted.name),
      also: { session: accepted.session, text: (theirs) => theirs.access.memberWelcome(accepted.name) },
    };
  }

  return {
    showTodoList,
    pair,
    greet: createGreet(parts.voice, parts.canRunCommands),
    showStatus: createShowStatus({ ...parts, grants }),
    undo: createUndoDeletion(parts),
    lang: createChooseLanguage(parts),
    model: createChooseModel(parts),
    persona: createChoosePersona(parts),
    busy: createChooseBusy(parts),
    grants: grants.grants,
    revoke: grants.revoke,
    ...createStopWork(parts),
    ...createPlanMode(parts),
    ...createTrustPeople(parts),
  };
}
