import type { Clock } from "../../core/clock.ts";
import { joinSentences } from "../../core/words/join-sentences.ts";
import type { Words } from "../../core/words/dictionary.ts";
import { withdrawInboxItem, type InboxItem } from "../../store/queries/inbox.ts";
import { listDecidedQuestions, listOpenQuestions, type Question } from "../../store/queries/questions.ts";
import { findOutage } from "../../store/queries/outages.ts";
import { startNewConversation } from "../../store/queries/sessions.ts";
import { listTurns } from "../../store/queries/turns.ts";
import type { Store } from "../../store/open-store.ts";
import type { CallHooks } from "../feature/call-hooks.ts";
import { findPerson } from "../gate/find-person.ts";
import type { Person } from "../gate/types.ts";
import type { ParkedTurns } from "../questions/parked-turns.ts";
import type { QuestionCards } from "../questions/question-cards.ts";
import type { KillSwitch } from "../pause/kill-switch.ts";
import type { InboxDispatcher } from "../lanes/inbox-dispatcher.ts";
import { isSaid } from "../lanes/jobs.ts";
import type { Tasks } from "../tasks/tasks.ts";
import type { CommandAnswer, CommandCall } from "./command-call.ts";
import { tellAs } from "../outbox/tell-as.ts";

/** The part of a command that /stop needs. */
type StopCall = Pick<CommandCall, "session" | "person" | "language" | "words" | "rest">;

/** /stop, /stop all, /resume and /new: ends work and reports it. */
export function createStopWork(parts: {
  readonly store: Store;
  readonly parked: ParkedTurns;
  readonly cards: QuestionCards;
  readonly tasks: Tasks;
  readonly abortTurn: (session: string) => boolean;
  readonly inbox: Pick<InboxDispatcher, "listBehind" | "dropWords">;
  readonly killSwitch: KillSwitch;
  readonly hooks: Pick<CallHooks, "startedOver">;
  readonly clock: Clock;
}) {
  const { store, parked, inbox } = parts;

  /** Withdraws a person's messages that have not begun, for an owner those of all people. Returns their number. */
  async function withdraw(session: string, person: Person): Promise<number> {
    const said = inbox.listBehind(session).filter(isSaid);
    if (said.length === 0) return 0;
    const { accounts } = await findPerson(store.main, person.id);
    const isTheirs = ({ requester }: InboxItem) =>
      person.role === "owner" || (requester !== null && accounts.includes(requester));
    let count = 0;
    for (const row of said.filter(isTheirs)) {
      if (!(await withdrawInboxItem(store.main, row.id, parts.clock.now()))) continue;
      inbox.dropWords(row);
      count += 1;
    }
    return count;
  }

  async function cancelOpen(session: string, person: Person, cause: "stop" | "new"): Promise<readonly string[]> {
    const open = await listOpenQuestions(store.main, session);
    const { accounts } = await findPerson(store.main, person.id);
    const mine = open.filter((question) => accounts.includes(question.asker) || person.role === "owner");
    const ended: Question[] = [];
    for (const question of mine) if (await parked.end(question, cause, person.id)) ended.push(question);
    return ended.map((question) => question.code);
  }

  /** Revokes every approval that has not been acted on. Returns the codes. */
  async function revokeDecisions(session: string): Promise<readonly string[]> {
    const codes: string[] = [];
    // Sub-agents, and turns that wait for them, have ended already or belong to another person.
    const parkedTurns = (await listTurns(store.main, ["parked"], session)).filter(
      ({ kind, waiting }) => kind === "chat" && waiting === null,
    );
    for (const turn of parkedTurns) {
      const question = (await listDecidedQuestions(store.main, turn.id)).at(-1);
      if (question === undefined || (await findOpenQuestionOf(session, turn.id)) !== undefined) continue;
      if (await parked.revokeDecision(question)) codes.push(question.code);
    }
    return codes;
  }

  async function findOpenQuestionOf(session: string, turn: string): Promise<Question | undefined> {
    return (await listOpenQuestions(store.main, session)).find((question) => question.turn === turn);
  }

  /** Aborts running work and ends waiting work. */
  async function dropWork(
    { session, person }: Pick<CommandCall, "session" | "person">,
    cause: "stop" | "new",
  ): Promise<{ readonly aborted: boolean; readonly withdrawn: number; readonly codes: readonly string[] }> {
    const withdrawn = await withdraw(session, person);
    const busy = parts.abortTurn(session);
    // Tasks end before questions: a closed question would resume the turn that waits for it.
    const { stopped, closed } = await parts.tasks.stopAll(session, person, cause);
    const taken = await revokeDecisions(session);
    const cancelled = await cancelOpen(session, person, cause);
    for (const question of closed) await parts.cards.showOutcome(question);
    const codes = [...taken, ...closed.map(({ code }) => code), ...cancelled];
    return { aborted: stopped > 0 || busy, withdrawn, codes };
  }

  async function stopEverything({ language, person, session, words }: StopCall): Promise<CommandAnswer> {
    if (person.role !== "owner") return tellAs("denied", language, words.access.ownerOnly);
    const texts = words.control.pause;
    return { text: (await parts.killSwitch.pull(person, { session })) ? texts.done : texts.already };
  }

  async function resume({ person, rest, words }: CommandCall): Promise<CommandAnswer> {
    const drop = rest.toLowerCase() === "drop";
    const count = await parts.killSwitch.release(person, drop);
    const texts = words.control.pause;
    if (count === undefined) return { text: texts.notPaused };
    return { text: drop ? texts.resumedWithout(count) : texts.resumed(count) };
  }

  /** `isIdle` = there was nothing to stop, which the text says. */
  async function stopNow(call: StopCall): Promise<{ readonly isIdle: boolean; readonly told: CommandAnswer }> {
    const waits = await findOutage(store.main, call.session);
    const { aborted, codes, withdrawn } = await dropWork(call, "stop");
    const { words } = call;
    if (!aborted && withdrawn === 0 && codes.length === 0)
      return { isIdle: true, told: { text: words.turn.nothingToStop } };
    const text = joinSentences(
      [words.turn.stopped, waits ? words.outage.stopped : "", ...describeDropped(words, withdrawn, codes)],
      call.language,
    );
    return { isIdle: false, told: { text } };
  }

  async function stop(call: StopCall): Promise<CommandAnswer> {
    return /^(?:all|全部|すべて)$/i.test(call.rest) ? stopEverything(call) : (await stopNow(call)).told;
  }

  async function startOver(call: StopCall): Promise<CommandAnswer> {
    const { codes, withdrawn } = await dropWork(call, "new");
    await startNewConversation(store.main, call.session);
    await parts.hooks.startedOver(call.session);
    return {
      text: joinSentences(
        [call.words.turn.newConversation, ...describeDropped(call.words, withdrawn, codes)],
        call.language,
      ),
    };
  }

  return { stop, stopNow, resume, startOver };
}

function describeDropped(words: Words, withdrawn: number, codes: readonly string[]): readonly string[] {
  return [
    withdrawn > 0 ? words.turn.droppedBehind(withdrawn) : "",
    codes.length > 0 ? words.decision.cancelledByStop(codes) : "",
  ];
}
