import { createBeginTurn } from "../kernel/turns/begin-turn.ts";
import { createHearVoices } from "../kernel/files/hear-voices.ts";
import { createReceiveFiles } from "../kernel/files/receive-files.ts";
import { createInterruptTurn } from "../kernel/turns/interrupt-turn.ts";
import { createLaterWords } from "../kernel/turns/later-words.ts";
import { createReadMessage } from "../kernel/turns/read-message.ts";
import { createListOwnerChats } from "../kernel/questions/owner-chats.ts";
import { canShowTurns } from "../kernel/turns/live-reply.ts";
import { createModelWaits } from "../kernel/turns/wait-for-model.ts";
import { createOutageProbe } from "../kernel/lanes/outage-probe.ts";
import { createRunTurn } from "../kernel/turns/run-turn.ts";
import { randomUUID } from "node:crypto";
import type { CallHooks } from "../kernel/feature/call-hooks.ts";
import type { KernelParts } from "./kernel-parts.ts";
import type { InboxDispatcher } from "../kernel/lanes/inbox-dispatcher.ts";
import type { ParkedTurns } from "../kernel/questions/parked-turns.ts";
import type { MessageMarks } from "../kernel/outbox/message-marks.ts";
import type { Access } from "../kernel/people/access.ts";
import type { Tasks } from "../kernel/tasks/tasks.ts";
import type { Channel } from "../channels/types.ts";

/** The parts that run turns: their beginning, their run, later messages, the wait for a model. */
export function assembleTurns(
  parts: KernelParts & {
    readonly admission: Access;
    readonly hooks: CallHooks;
    readonly findChannel: (platform: string) => Channel | undefined;
    readonly inbox: InboxDispatcher;
    readonly marks: MessageMarks;
    readonly parked: Pick<ParkedTurns, "look">;
    readonly tasks: Tasks;
  },
) {
  const { admission, approvals, clock, findChannel, hooks, inbox, log, marks, outbox, parked, roles, store } = parts;
  const { systemReplies, tasks, tellOwners, zone } = parts;
  const readMessage = createReadMessage({
    store,
    receiveFiles: createReceiveFiles({ ...parts.files, findChannel, log }),
    hearVoices: createHearVoices({ features: parts.features, workspace: parts.files.workspace }),
  });
  // A client that waits for the answer to its own message gets one.
  const joins = (platform: string) => platform !== "cli" && !parts.access.namedByClients(platform);
  const laterWords = createLaterWords({
    store,
    inbox,
    identify: admission.identify,
    readMessage,
    hooks,
    interrupt: createInterruptTurn({ store, inbox, endFollowed: (session) => void hooks.endWork(session) }),
    rules: parts.busy,
    joins,
    clock,
    log,
  });
  const waits = createModelWaits({
    store,
    outbox,
    voice: parts.voice,
    listBehind: inbox.listBehind,
    probe: createOutageProbe({ wake: inbox.wake, modelStatus: parts.modelStatus, clock }),
    waitMs: parts.outageMs,
    failsAtOnce: (platform) => platform === "cli" || parts.access.namedByClients(platform),
    clock,
  });
  const runner = createRunTurn({
    hooks,
    store,
    waits,
    agent: parts.agent,
    approvals,
    scrub: parts.scrub,
    holdBack: parts.holdBack,
    outgoing: parts.outgoing,
    readFile: parts.files.workspace.readBytes,
    outbox,
    findChannel,
    marks,
    laterWords,
    liveWatch: parts.liveWatch,
    meter: parts.meter,
    beginTurn: createBeginTurn({
      store,
      hooks,
      identify: admission.identify,
      readMessage,
      inputs: parts.inputs,
      systemReplies,
      policy: parts.policy,
      showsLive: (platform) => canShowTurns(findChannel(platform)),
      zone,
      clock,
    }),
    voice: parts.voice,
    renderQuestion: parts.renderQuestion,
    supportsPreview: hooks.previews.supports,
    listOwnerChats: createListOwnerChats(roles),
    warmUp: parts.warmUp,
    onParked: () => void parked.look(),
    tasks,
    fit: parts.fit,
    tellOwners,
    budget: parts.budget,
    isOffline: parts.isOffline,
    pushToLane: inbox.pushToLane,
    onTasks: (session) => void inbox.takeTasks(session),
    owner: `${process.pid}.${randomUUID()}`,
    clock,
    log,
  });
  return { runner, waits, laterWords, joins };
}
