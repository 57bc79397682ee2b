import { createBeginTurn } from "./turns/begin-turn.ts";
import { createHearVoices } from "./files/hear-voices.ts";
import { createReceiveFiles } from "./files/receive-files.ts";
import { createInterruptTurn } from "./turns/interrupt-turn.ts";
import { createLaterWords } from "./turns/later-words.ts";
import { createReadMessage } from "./turns/read-message.ts";
import { createListOwnerChats } from "./questions/owner-chats.ts";
import { canShowTurns } from "./turns/live-reply.ts";
import { createModelWaits } from "./turns/wait-for-model.ts";
import { createOutageProbe } from "./lanes/outage-probe.ts";
import { createRunTurn } from "./turns/run-turn.ts";
import { randomUUID } from "node:crypto";
import type { CallHooks } from "./feature/call-hooks.ts";
import type { GatewayParts } from "./gateway-parts.ts";
import type { InboxDispatcher } from "./lanes/inbox-dispatcher.ts";
import type { ParkedTurns } from "./questions/parked-turns.ts";
import type { MessageMarks } from "./outbox/message-marks.ts";
import type { Access } from "./people/access.ts";
import type { Tasks } from "./tasks/tasks.ts";
import type { Channel } from "../channels/types.ts";

const leaseMs = 5 * 60_000;

/** The parts that work on turns: their beginning, their run, words that come meanwhile, the wait for a model. */
export function createTurnParts(
  parts: GatewayParts & {
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
    leaseMs,
    clock,
    log,
  });
  return { runner, waits, laterWords, joins };
}
