import type { Clock } from "../../core/clock.ts";
import { listOpenMessages, withdrawInboxItem, type InboxItem } from "../../store/queries/inbox.ts";
import { listDecidedQuestions, listOpenQuestions } from "../../store/queries/questions.ts";
import { findSteeredTurn, listSteeredRows } from "../../store/queries/steered-messages.ts";
import { findTurn, findTurnByInbox, listTurns, type TurnRow } from "../../store/queries/turns.ts";
import type { Store } from "../../store/open-store.ts";
import type { ParkedTurns } from "../questions/parked-turns.ts";
import type { QuestionCards } from "../questions/question-cards.ts";
import type { AgainJob, ResumeJob } from "../lanes/jobs.ts";
import type { SystemReplies } from "../outbox/system-replies.ts";
import type { CallHooks } from "../feature/call-hooks.ts";
import type { Tasks } from "../tasks/tasks.ts";
import { toPersonId } from "../../channels/session-id.ts";
import type { InboundMessage, MessageRecall } from "../../channels/types.ts";
import type { HandleEvent } from "./dispatch.ts";

/** A recalled message that still has work to do. */
interface Recalled {
  readonly row: InboxItem;
  readonly message: InboundMessage;
}

/**
 * A recalled message is withdrawn: a waiting row is dropped, a running turn is stopped without a notice, and the
 * questions of that turn are cancelled. Its author may recall it, and so may an administrator of the group. Completed
 * calls are not undone, and neither is an approval that was already acted on.
 */
export function createDispatchRecall(parts: {
  readonly store: Store;
  readonly parked: ParkedTurns;
  readonly cards: QuestionCards;
  readonly tasks: Pick<Tasks, "stopAll">;
  /** Aborts the running job of a session if `which` matches its row. */
  readonly abort: (session: string, which: (item: InboxItem) => boolean) => boolean;
  readonly systemReplies: SystemReplies;
  readonly hooks: Pick<CallHooks, "withdrawn">;
  readonly clock: Clock;
}): HandleEvent<"recall"> {
  const { store, parked, clock } = parts;

  async function findRecalled(session: string, recall: MessageRecall): Promise<readonly Recalled[]> {
    const turns = await listTurns(store.main, ["running", "parked"], session);
    const steered = await listSteeredRows(
      store.main,
      turns.map(({ id }) => id),
    );
    const rows = await listOpenMessages(store.main, session, [...turns.map(({ inbox }) => inbox), ...steered]);
    return rows.flatMap((row) => {
      const message = readMessage(row);
      const mayRecall = recall.sender.administrator === true || message.sender.id === recall.sender.id;
      return message.messageId === recall.messageId && mayRecall ? [{ row, message }] : [];
    });
  }

  async function stopTurn(turn: TurnRow, { message }: Recalled): Promise<void> {
    const author = toPersonId(message.address.platform, message.sender.id);
    const isTheirs = (item: InboxItem) =>
      item.id === turn.inbox || (item.kind === "resume" && (JSON.parse(item.payload) as ResumeJob).turn === turn.id);
    parts.abort(turn.session, isTheirs);
    // Tasks are stopped before questions: a closed question would resume the turn that waits for it.
    const person = { id: author, name: message.sender.name, role: "member" } as const;
    const isOfTurn = ({ id, parent }: TurnRow) => id === turn.id || parent === turn.id;
    const { closed } = await parts.tasks.stopAll(turn.session, person, "stop", isOfTurn);
    for (const question of closed) await parts.cards.showOutcome(question);
    const open = (await listOpenQuestions(store.main, turn.session)).filter((question) => question.turn === turn.id);
    for (const question of open) await parked.end(question, "stop", author);
    const current = await findTurn(store.main, turn.id);
    if (current?.state !== "parked" || current.waiting !== null) return;
    const decided = (await listDecidedQuestions(store.main, turn.id)).at(-1);
    if (decided) await parked.revokeDecision(decided);
  }

  return async (item, recall) => {
    await parts.hooks.withdrawn(item.session, recall.messageId);
    for (const recalled of await findRecalled(item.session, recall)) {
      if (await withdrawInboxItem(store.main, recalled.row.id, clock.now())) continue;
      const joined = await findSteeredTurn(store.main, recalled.row.id);
      const turn = await (joined === undefined
        ? findTurnByInbox(store.main, recalled.row.id)
        : findTurn(store.main, joined));
      if (turn && turn.state !== "ended") await stopTurn(turn, recalled);
    }
    await parts.systemReplies.finish(item);
  };
}

/** For a repeated question, returns the message that requested the repetition. */
function readMessage({ kind, payload }: InboxItem): InboundMessage {
  return kind === "again" ? (JSON.parse(payload) as AgainJob).message : (JSON.parse(payload) as InboundMessage);
}
