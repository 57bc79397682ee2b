import { createCommandTable } from "./commands/command-table.ts";
import { createCommandHandlers } from "./commands/command-handlers.ts";
import { createDispatchAnswer } from "./inbox/dispatch-answer.ts";
import { createDispatchChange } from "./inbox/dispatch-change.ts";
import { createDispatchNearAnswer } from "./inbox/dispatch-near-answer.ts";
import { createDispatchChat } from "./inbox/dispatch-chat.ts";
import { createDispatchMessage } from "./inbox/dispatch-message.ts";
import { createDispatchPress } from "./inbox/dispatch-press.ts";
import { createDispatchStop } from "./inbox/dispatch-stop.ts";
import { createGatherAlbum } from "./inbox/gather-album.ts";
import { createDispatchMissed } from "./inbox/dispatch-missed.ts";
import { createDispatchLeft } from "./inbox/dispatch-left.ts";
import { createDispatchRecall } from "./inbox/dispatch-recall.ts";
import { createReadPress } from "./inbox/read-press.ts";
import { createMessageRate, createRefuseFast } from "./inbox/refuse-fast.ts";
import type { CallHooks } from "./feature/call-hooks.ts";
import type { GatewayParts } from "./gateway-parts.ts";
import type { EventHandlers } from "./inbox/dispatch.ts";
import type { InboxDispatcher } from "./lanes/inbox-dispatcher.ts";
import type { MessageMarks } from "./outbox/message-marks.ts";
import type { KillSwitch } from "./pause/kill-switch.ts";
import type { Access } from "./people/access.ts";
import type { DecideQuestion } from "./questions/decide-question.ts";
import type { ParkedTurns } from "./questions/parked-turns.ts";
import type { QuestionCards } from "./questions/question-cards.ts";
import type { Tasks } from "./tasks/tasks.ts";
import type { LaterWordsDesk } from "./turns/later-words.ts";
import type { Channel } from "../channels/types.ts";

/** Makes what happens with each kind of event: messages with their answers and commands, presses, recalls and the rest. */
export function createEventHandlers(
  parts: GatewayParts & {
    readonly admission: Access;
    readonly cards: QuestionCards;
    readonly decide: DecideQuestion;
    readonly findChannel: (platform: string) => Channel | undefined;
    readonly hooks: CallHooks;
    readonly inbox: InboxDispatcher;
    /** Whether words may wait on a platform for the end of a turn. */
    readonly joins: (platform: string) => boolean;
    readonly killSwitch: KillSwitch;
    readonly laterWords: LaterWordsDesk;
    readonly marks: MessageMarks;
    readonly parked: ParkedTurns;
    readonly stopping: AbortSignal;
    readonly tasks: Tasks;
  },
): EventHandlers {
  const {
    admission: access,
    approvals,
    cards,
    clock,
    decide,
    findChannel,
    hooks,
    inbox,
    joins,
    killSwitch,
    laterWords,
  } = parts;
  const { marks, outbox, parked, store, systemReplies, tasks, tellOwners } = parts;
  const { previews } = hooks;
  const { pushToLane } = inbox;
  const rate = createMessageRate({ limits: () => parts.limits().messages, clock });
  const refuseFast = createRefuseFast({ rate, systemReplies });
  const commands = createCommandHandlers({
    ...parts,
    access,
    findChannel,
    parked,
    cards,
    tasks,
    killSwitch,
    hooks,
    inbox,
    abortTurn(session) {
      const previewed = previews.abort(session);
      const aborted = inbox.abort(session);
      // After the turn, so that it cannot begin another one.
      const ended = hooks.endWork(session);
      return aborted || ended || previewed;
    },
    isBusy: inbox.isBusy,
    joins,
    pushToLane,
    workspace: parts.files.workspace,
    describeFeatures: hooks.status,
  });
  const message = createDispatchMessage({
    store,
    access,
    recentTalk: parts.recentTalk,
    gatherAlbum: createGatherAlbum({ store, stopping: parts.stopping, clock }),
    killSwitch,
    refuseFast,
    dispatchAnswer: createDispatchAnswer({
      store,
      approvals,
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
  const readPress = createReadPress({ store, access, approvals, cards, decide, previews });
  return {
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
    stop: createDispatchStop({ store, access, stop: commands.stop, systemReplies }),
    ...hooks.events,
  };
}
