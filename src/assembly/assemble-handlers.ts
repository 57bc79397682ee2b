import type { CommandHandlers } from "../kernel/commands/chat-commands.ts";
import { createChooseBusy } from "../kernel/commands/choose-busy.ts";
import { createChooseLanguage } from "../kernel/commands/choose-language.ts";
import { createChooseModel } from "../kernel/commands/choose-model.ts";
import { createChoosePersona } from "../kernel/commands/choose-persona.ts";
import { createGrantCommands } from "../kernel/commands/grant-commands.ts";
import { createGreet } from "../kernel/commands/greet.ts";
import { createPairPeople } from "../kernel/commands/pair-people.ts";
import { createPlanMode } from "../kernel/commands/plan-mode.ts";
import { createShowStatus } from "../kernel/commands/show-status.ts";
import { createShowTodoList } from "../kernel/commands/show-todo-list.ts";
import { createSessionActions, type SessionActions } from "../kernel/commands/session-actions.ts";
import { createSystemActions, type SystemActions } from "../kernel/commands/system-actions.ts";
import { createStopWork } from "../kernel/commands/stop-work.ts";
import { createChangeRole } from "../kernel/people/change-role.ts";
import { createTrustPeople } from "../kernel/commands/trust-people.ts";
import { createUndoDeletion } from "../kernel/commands/undo-deletion.ts";
import { createCommandTable } from "../kernel/commands/command-table.ts";
import { createDispatchAnswer } from "../kernel/inbox/dispatch-answer.ts";
import { createDispatchChange } from "../kernel/inbox/dispatch-change.ts";
import { createDispatchNearAnswer } from "../kernel/inbox/dispatch-near-answer.ts";
import { createDispatchChat } from "../kernel/inbox/dispatch-chat.ts";
import { createDispatchMessage } from "../kernel/inbox/dispatch-message.ts";
import { createDispatchPress } from "../kernel/inbox/dispatch-press.ts";
import { createDispatchStop } from "../kernel/inbox/dispatch-stop.ts";
import { createGatherAlbum } from "../kernel/inbox/gather-album.ts";
import { createDispatchMissed } from "../kernel/inbox/dispatch-missed.ts";
import { createDispatchLeft } from "../kernel/inbox/dispatch-left.ts";
import { createDispatchRecall } from "../kernel/inbox/dispatch-recall.ts";
import { createReadPress } from "../kernel/inbox/read-press.ts";
import { createMessageRate, createRefuseFast } from "../kernel/inbox/refuse-fast.ts";
import type { CallHooks } from "../kernel/feature/call-hooks.ts";
import type { KernelParts } from "./kernel-parts.ts";
import type { EventHandlers } from "../kernel/inbox/dispatch.ts";
import type { InboxDispatcher } from "../kernel/lanes/inbox-dispatcher.ts";
import type { MessageMarks } from "../kernel/outbox/message-marks.ts";
import type { KillSwitch } from "../kernel/pause/kill-switch.ts";
import type { Access } from "../kernel/people/access.ts";
import type { DecideQuestion } from "../kernel/questions/decide-question.ts";
import type { ParkedTurns } from "../kernel/questions/parked-turns.ts";
import type { QuestionCards } from "../kernel/questions/question-cards.ts";
import type { Tasks } from "../kernel/tasks/tasks.ts";
import type { LaterWordsDesk } from "../kernel/turns/later-words.ts";
import type { Channel } from "../channels/types.ts";

/**
 * Creates the handlers for each kind of event: messages with their answers and commands, presses, recalls and the rest; and
 * what the web console does in place of a command.
 */
export function assembleHandlers(
  parts: KernelParts & {
    readonly admission: Access;
    readonly cards: QuestionCards;
    readonly decide: DecideQuestion;
    readonly findChannel: (platform: string) => Channel | undefined;
    readonly hooks: CallHooks;
    readonly inbox: InboxDispatcher;
    /** Whether messages of a platform may join a running turn. */
    readonly joins: (platform: string) => boolean;
    readonly killSwitch: KillSwitch;
    readonly laterWords: LaterWordsDesk;
    readonly marks: MessageMarks;
    readonly parked: ParkedTurns;
    readonly stopping: AbortSignal;
    readonly tasks: Tasks;
  },
): { readonly handlers: EventHandlers; readonly sessions: SessionActions; readonly system: SystemActions } {
  const { admission: access, cards, clock, decide, findChannel, hooks, inbox, joins, killSwitch, laterWords } = parts;
  const { marks, outbox, parked, store, systemReplies, tasks, tellOwners } = parts;
  const { previews } = hooks;
  const { pushToLane } = inbox;
  const rate = createMessageRate({ limits: () => parts.limits().messages, clock });
  const refuseFast = createRefuseFast({ rate, systemReplies });
  const grants = createGrantCommands(parts);
  const stopWork = createStopWork({
    ...parts,
    abortTurn(session) {
      const previewed = previews.abort(session);
      const aborted = inbox.abort(session);
      // After the turn, so that it cannot start another one.
      const ended = hooks.endWork(session);
      return aborted || ended || previewed;
    },
  });
  const { stop, resume, startOver } = stopWork;
  const changeRole = createChangeRole(parts);
  const commands: CommandHandlers = {
    stop,
    resume,
    startOver,
    ...createPlanMode(parts),
    ...createTrustPeople({ store, changeRole }),
    grants: grants.grants,
    revoke: grants.revoke,
    busy: createChooseBusy(parts),
    greet: createGreet(parts.voice, parts.canRunCommands),
    lang: createChooseLanguage(parts),
    model: createChooseModel(parts),
    pair: createPairPeople({ access }),
    persona: createChoosePersona(parts),
    showStatus: createShowStatus({ ...parts, grants, isBusy: inbox.isBusy, describeFeatures: hooks.status }),
    showTodoList: createShowTodoList(parts),
    undo: createUndoDeletion({ store, workspace: parts.files.workspace, clock }),
  };
  const message = createDispatchMessage({
    store,
    access,
    recentTalk: parts.recentTalk,
    gatherAlbum: createGatherAlbum({ store, stopping: parts.stopping, clock }),
    killSwitch,
    refuseFast,
    dispatchAnswer: createDispatchAnswer({
      store,
      decide,
      previews,
      questions: hooks.questions,
      systemReplies,
      refuseFast,
      pushToLane,
      clock,
    }),
    dispatchChange: createDispatchChange({ store, parked, systemReplies, refuseFast, pushToLane }),
    dispatchNearAnswer: createDispatchNearAnswer({ store, questions: hooks.questions, systemReplies }),
    commands: createCommandTable(commands, parts.features),
    systemReplies,
    outbox,
    answerAll: parts.access.answerAll,
    joins,
    mentionOnly: parts.access.mentionOnly,
    observe: parts.access.observe,
    clock,
    marks,
    laterWords,
    hooks,
  });
  const readPress = createReadPress({ store, access, cards, decide, previews });
  const handlers: EventHandlers = {
    message,
    press: createDispatchPress({
      store,
      hooks,
      readPress,
      killSwitch,
      systemReplies,
      findChannel,
      takeUp: inbox.take,
      clock,
    }),
    reaction: systemReplies.finish,
    recall: createDispatchRecall({ store, parked, cards, tasks, abort: inbox.abort, systemReplies, hooks, clock }),
    request: systemReplies.finish,
    missed: createDispatchMissed({ store, systemReplies, tellOwners }),
    chat: createDispatchChat({ store, access, outbox, systemReplies, tellOwners, clock }),
    left: createDispatchLeft({ hooks, systemReplies }),
    stop: createDispatchStop({ store, access, stop, systemReplies }),
    ...hooks.events,
  };
  return {
    handlers,
    sessions: createSessionActions({ ...parts, stopWork }),
    system: createSystemActions({ ...parts, changeRole }),
  };
}
