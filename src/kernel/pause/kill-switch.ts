import type { Kysely } from "kysely";
import type { Database } from "../../store/schema/database.ts";
import type { PauseState } from "./pause-state.ts";
import type { TurnInput } from "../agent/types.ts";
import type { Clock } from "../../core/clock.ts";
import type { Language } from "../../core/conversation.ts";
import { wordsFor } from "../../core/words/words.ts";
import { appendAudit } from "../../store/queries/audit.ts";
import { setInboxState, type InboxItem } from "../../store/queries/inbox.ts";
import { appendMessages } from "../../store/queries/messages.ts";
import { dropOtherLiveItems } from "../../store/queries/outbox.ts";
import {
  deletePause,
  dropKeptMessages,
  findPause,
  insertPause,
  keepInboxItem,
  lockPause,
  releaseInbox,
  type Pause,
} from "../../store/queries/pause.ts";
import { listDecidedQuestions, listOpenQuestions } from "../../store/queries/questions.ts";
import { findSession } from "../../store/queries/sessions.ts";
import { listLivingTasks, listTurnsWaitingForTasks } from "../../store/queries/tasks.ts";
import { listTurns, revokeTurn, type TurnRow } from "../../store/queries/turns.ts";
import type { Store } from "../../store/open-store.ts";
import type { Person } from "../gate/types.ts";
import type { ParkedTurns } from "../questions/parked-turns.ts";
import type { QuestionCards } from "../questions/question-cards.ts";
import { toAddress } from "../../channels/to-address.ts";
import { queueMessage, type Outbox } from "../outbox/outbox.ts";
import type { JobEnd } from "../lanes/session-lanes.ts";
import type { Tasks } from "../tasks/tasks.ts";
import type { InboundMessage } from "../../channels/types.ts";
import type { MessageMarks } from "../outbox/message-marks.ts";

/**
 * Stops all work of all people and keeps it stopped. One row is the switch: once it is committed nothing begins, and
 * unfinished endings are completed even after a crash.
 * docs/decisions/approval-and-safety.md#the-kill-switch-is-one-row-and-a-repeatable-sweep-does-the-rest
 */
export interface KillSwitch {
  find(): Promise<Pause | undefined>;
  /** Returns false when everything was stopped already. */
  pull(person: Person, from: PausePlace): Promise<boolean>;
  /** Runs the work of a row, unless everything is paused: then the row is kept. */
  unlessPaused(item: InboxItem, work: () => Promise<JobEnd>): Promise<JobEnd>;
  /** At startup: ends work that survived the pause; turns that were running have lost their process. */
  recover(): Promise<void>;
  /** The same for a session that this process takes over. */
  recoverSession(session: string): Promise<void>;
  /** Stops what runs here while everything is paused, by whichever process. */
  sweep(): Promise<void>;
  /**
   * Keeps a message and notifies its chat once per pause; one-shot clients are notified each time. Returns false when
   * the pause has ended.
   */
  keep(item: InboxItem, message?: InboundMessage): Promise<boolean>;
  /**
   * Ends the pause. With `drop`, kept messages get no answer and their chats are notified. Returns undefined when
   * nothing was paused.
   */
  release(person: Person, drop: boolean, from?: PausePlace): Promise<number | undefined>;
}

/** The chat of the command, or the web console's login. */
type PausePlace = { readonly session: string } | { readonly login: string };

export function createKillSwitch(parts: {
  readonly store: Store;
  readonly pause: PauseState;
  readonly parked: ParkedTurns;
  readonly cards: QuestionCards;
  readonly marks: Pick<MessageMarks, "follow">;
  readonly tasks: Tasks;
  readonly outbox: Outbox;
  /** Aborts every running turn and preview of this process. */
  readonly abortAll: (previewsOf: readonly string[]) => void;
  /** Takes the pending rows of the inbox. */
  readonly pickUp: () => Promise<void>;
  readonly clock: Clock;
}): KillSwitch {
  const { store, pause: state, parked, tasks, outbox, clock } = parts;
  const system: Person = { id: "gateway", name: "Kurisu", role: "owner" };

  async function pull(person: Person, from: PausePlace): Promise<boolean> {
    const notified: string[] = [];
    const { session, ...login } = { session: undefined, ...from };
    const won = await change(async (tx) => {
      const since = clock.now();
      if (!(await insertPause(tx, { since, person: person.id, name: person.name }))) return false;
      // Chats with an open question get its closing notice instead, and the chat of the command gets the reply.
      const asked = new Set((await listOpenQuestions(tx)).map(({ turn }) => turn));
      const living = (await listTurns(tx, ["running", "parked"])).filter(({ id }) => !asked.has(id));
      notified.push(...new Set(living.map((turn) => turn.session).filter((one) => one !== session)));
      for (const one of notified) {
        await notify(
          tx,
          one,
          `paused:${since}:${one}:turn`,
          (language) => wordsFor(language).control.pause.stoppedHere,
        );
      }
      const detail = { turns: living.map(({ id }) => id), questions: asked.size, ...login };
      const place = session === undefined ? {} : { session };
      await appendAudit(tx, { actor: person.id, action: "pause.begun", ...place, detail, now: since });
      return true;
    });
    for (const one of notified) outbox.wake(one);
    await sweepPaused();
    return won;
  }

  const change = <Result>(work: (tx: Kysely<Database>) => Promise<Result>) =>
    state.change(() => store.main.transaction().execute(work));

  async function notify(
    db: Parameters<typeof queueMessage>[0],
    session: string,
    id: string,
    text: (language: Language) => string,
  ): Promise<void> {
    const row = await findSession(db, session);
    if (!row) return;
    const words = text(row.language as Language);
    await queueMessage(db, { id, kind: "notice", address: toAddress(row), text: words, plain: true }, clock.now());
  }

  async function sweep(): Promise<void> {
    if (await state.find()) await sweepPaused();
  }

  /** Each step can be repeated: the next sweep completes what a crash interrupted. */
  async function sweepPaused(): Promise<void> {
    const open = await listOpenQuestions(store.main);
    parts.abortAll(open.map(({ session }) => session));
    for (const question of open) await parked.end(question, "pause", "gateway");
    const [working, waiting] = [await listLivingTasks(store.main), await listTurnsWaitingForTasks(store.main)];
    const sessions = new Set([...working, ...waiting].map((turn) => turn.session));
    for (const session of sessions) {
      const { closed } = await tasks.stopAll(session, system, "stop");
      for (const question of closed) await parts.cards.showOutcome(question);
    }
    for (const turn of await listTurns(store.main, ["parked"])) {
      if (turn.kind === "chat" && turn.waiting?.startsWith("model:")) await endAbandoned(turn);
      const answered = (await listDecidedQuestions(store.main, turn.id)).at(-1);
      if (answered) await parked.revokeDecision(answered);
    }
  }

  /** Its process is gone. */
  async function endAbandoned(turn: TurnRow): Promise<void> {
    await store.main.transaction().execute(async (tx) => {
      if (!(await revokeTurn(tx, turn.id, "stopped", clock.now()))) return;
      await dropOtherLiveItems(tx, turn.id, "", clock.now());
      await setInboxState(tx, turn.inbox, "done", clock.now());
      await appendMessages(tx, {
        session: turn.session,
        turn: turn.id,
        taint: (JSON.parse(turn.input) as TurnInput).taint,
        messages: [{ role: "note", text: "The kill switch ended this turn; it got no reply." }],
        now: clock.now(),
      });
    });
    await store.turnCheckpoints.remove(turn.id);
    parts.marks.follow(turn.id);
  }

  async function keep(item: InboxItem, message?: InboundMessage): Promise<boolean> {
    const kept = await store.main.transaction().execute(async (tx) => {
      const pause = await lockPause(tx);
      if (!pause) return false;
      await keepInboxItem(tx, item.id);
      if (!message) return true;
      const text = (language: Language) => wordsFor(language).control.pause.kept;
      if (message.address.platform !== "cli") {
        await notify(tx, item.session, `paused:${pause.since}:${item.session}:kept`, text);
        return true;
      }
      const row = await findSession(tx, item.session);
      const notice = { kind: "notice", plain: true, cause: item.id, error: { code: "PAUSED" } } as const;
      const words = text((row?.language ?? "zh") as Language);
      await queueMessage(tx, { id: `${item.id}.kept`, address: message.address, text: words, ...notice }, clock.now());
      return true;
    });
    outbox.wake(item.session);
    // Released in the meantime: the row was left to this process, which has it in progress.
    return kept && (await state.find()) !== undefined;
  }

  return {
    find: state.find,
    pull,
    keep,
    async unlessPaused(item, work) {
      if (await state.find()) {
        await sweep();
        if (await keep(item)) return "ended";
      }
      const end = await work();
      // It may have asked a question while everything was being stopped.
      await sweep();
      return end;
    },
    async recover() {
      if (!(await state.find())) return void (await releaseInbox(store.main));
      for (const turn of await listTurns(store.main, ["running"])) if (turn.kind === "chat") await endAbandoned(turn);
      await sweepPaused();
    },
    async recoverSession(session) {
      if (!(await state.find())) return;
      for (const turn of await listTurns(store.main, ["running"], session))
        if (turn.kind === "chat") await endAbandoned(turn);
    },
    sweep,
    async release(person, drop, from) {
      const dropped: string[] = [];
      const count = await change(async (tx) => {
        const pause = await findPause(tx);
        if (!pause || !(await deletePause(tx))) return undefined;
        if (drop) dropped.push(...(await dropKeptMessages(tx, clock.now())));
        const kept = drop ? dropped.length : 0;
        for (const session of new Set(dropped)) {
          const text = (language: Language) => wordsFor(language).control.pause.dropped;
          await notify(tx, session, `paused:${pause.since}:${session}:dropped`, text);
        }
        const released = await releaseInbox(tx);
        const login = from && "login" in from ? from : {};
        const detail = { since: pause.since, dropped: kept, answered: released, ...login };
        await appendAudit(tx, { actor: person.id, action: "pause.ended", detail, now: clock.now() });
        return drop ? kept : released;
      });
      if (count === undefined) return undefined;
      for (const session of new Set(dropped)) outbox.wake(session);
      await parts.pickUp();
      return count;
    },
  };
}
