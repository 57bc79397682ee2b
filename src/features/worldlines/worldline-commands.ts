import type { Clock } from "../../core/clock.ts";
import { joinSentences } from "../../core/words/join-sentences.ts";
import type { Words } from "../../core/words/dictionary.ts";
import { findInboxItem, type InboxItem } from "../../store/queries/inbox.ts";
import { listOpenQuestions, type Question } from "../../store/queries/questions.ts";
import { findSession, type SessionRow } from "../../store/queries/sessions.ts";
import { findBranchNumber, findOtherBranch, listOtherBranches, listPoints } from "./branches.ts";
import type { Store } from "../../store/open-store.ts";
import { findPerson } from "../../policy/find-person.ts";
import type { Person } from "../../policy/types.ts";
import { readAnswerWords } from "../../gateway/approvals/approval-words.ts";
import type { ParkedTurns } from "../../gateway/approvals/parked-turns.ts";
import type { QuestionCards } from "../../gateway/approvals/question-cards.ts";
import type { CommandAnswer, CommandCall } from "../../gateway/commands/command-call.ts";
import { refuseMessage } from "../../gateway/outbox/refuse-message.ts";
import type { Tasks } from "../../gateway/tasks/tasks.ts";
import { describeWorldlines, nameBranch, readBranch, shortenWords } from "./describe-worldlines.ts";
import { type BranchSwitcher, isAtWork } from "./branch-switcher.ts";
import { tellAs, type Told } from "../../gateway/outbox/tell-as.ts";

/** `/worldline` and `/dmail`. undefined = the command has answered by itself. */
export interface WorldlineCommands {
  worldline(call: CommandCall): Promise<CommandAnswer | undefined>;
  dmail(call: CommandCall): Promise<CommandAnswer | undefined>;
}

const pointsShown = 20;
const branchesShown = 10;

export function createWorldlineCommands(parts: {
  readonly store: Store;
  readonly branchSwitcher: BranchSwitcher;
  readonly parked: ParkedTurns;
  readonly cards: QuestionCards;
  readonly tasks: Tasks;
  /** Ends what is tried out for the questions of a session. */
  readonly abortPreviews: (session: string) => void;
  readonly pushToLane: (item: InboxItem) => void;
  readonly zone: () => string;
  readonly clock: Clock;
}): WorldlineCommands {
  const { store, branchSwitcher, parked, clock } = parts;

  async function show({ session: id, message, words }: CommandCall): Promise<CommandAnswer> {
    const session = await readSession(id);
    const view = {
      points: await listPoints(store.main, session, session.points - pointsShown, session.points - 1),
      current: await findBranchNumber(store.main, session),
      others: await listOtherBranches(store.main, session, branchesShown),
      inGroup: message.chatKind === "group",
    };
    const text = describeWorldlines({ ...view, zone: parts.zone(), now: clock.now(), words });
    return { text, preformatted: true };
  }

  async function enter(call: CommandCall): Promise<CommandAnswer | undefined> {
    const { message, person, rest, words } = call;
    const texts = words.worldline;
    const session = await readSession(call.session);
    const current = await findBranchNumber(store.main, session);
    const number = readBranch(rest);
    const known = number === undefined ? undefined : await findOtherBranch(store.main, session, number);
    if (number === current) return { text: texts.alreadyThere(nameBranch(current)) };
    if (number === undefined || known === undefined) return { text: await listNames(session, current, call) };
    if (message.chatKind === "group" && person.role !== "owner")
      return tellAs("denied", call.language, texts.ownerOnly);
    const left = await leaveLine(call);
    if (left.kind === "refused") return left.told;
    const where = known.last ? texts.where({ ...known.last, text: shortenWords(known.last.text) }) : "";
    const told = joinSentences(
      [texts.moved({ name: nameBranch(number), where }), describeEnded(left.codes, words)],
      call.language,
    );
    return (await branchSwitcher.enter(call, session, { number, told }))
      ? undefined
      : tellAs("failed", call.language, texts.busy);
  }

  async function listNames(session: SessionRow, current: number, { rest, words }: CommandCall): Promise<string> {
    const others = await listOtherBranches(store.main, session, branchesShown);
    const numbers = [current, ...others.map(({ number }) => number)].toSorted((a, b) => a - b);
    const names = numbers.map((number) => `${number} (${nameBranch(number)})`).join(", ");
    return words.worldline.noSuchLine({ asked: shortenWords(rest), names });
  }

  async function dmail(call: CommandCall): Promise<CommandAnswer | undefined> {
    const { item, message, person, rest, words } = call;
    const texts = words.worldline;
    const stored = await findInboxItem(store.main, item.id);
    if (stored && stored.state !== "received") {
      // A fault came after the past was changed: the message only has to be taken up.
      parts.pushToLane(stored);
      return undefined;
    }
    const [, asked = "", said = ""] = /^(\S+)(?:\s+([\s\S]*))?$/.exec(rest) ?? [];
    const number = readPointNumber(asked);
    if (number === undefined || said.trim() === "") return { text: texts.dmailUsage };
    const refusal = refuseMessage({ ...message, text: said }, words);
    if (refusal !== undefined) return tellAs("unreadable", call.language, refusal);
    // A question that it could be meant for is void on the new line; the model must not take it for a yes to anything.
    const answer = readAnswerWords(said);
    if (answer && !("plain" in answer && answer.plain)) return { text: texts.answerWord(said.trim()) };
    const session = await readSession(call.session);
    const points = await listPoints(store.main, session, number, session.points - 1);
    const [point, next] = points;
    if (point?.number !== number) return { text: texts.noSuchPoint({ asked, last: session.points - 1 }) };
    const isOwn = points.every(({ number: later, senderId }) => later === number || senderId === person.id);
    if (message.chatKind === "group" && person.role !== "owner" && !isOwn)
      return tellAs("denied", call.language, texts.notYours);
    const left = await leaveLine(call);
    if (left.kind === "refused") return left.told;
    const to = { point: number, position: next === undefined ? session.last_position : next.position - 1 };
    const told = joinSentences([texts.sent(number), describeEnded(left.codes, words)], call.language);
    const work = await branchSwitcher.fork(call, session, { ...to, text: said, told, ended: left.codes });
    if (!work) return tellAs("failed", call.language, texts.busy);
    parts.pushToLane(work);
    return undefined;
  }

  /** Ends what waits for an answer on the line that is left, unless something is at work or it is not theirs to end. */
  async function leaveLine({
    item,
    session,
    language,
    person,
    words,
  }: CommandCall): Promise<
    { readonly kind: "left"; readonly codes: readonly string[] } | { readonly kind: "refused"; readonly told: Told }
  > {
    if (await isAtWork(store.main, session, item.seq))
      return { kind: "refused", told: tellAs("failed", language, words.worldline.busy) };
    const open = await listOpenQuestions(store.main, session);
    const { accounts } = await findPerson(store.main, person.id);
    const foreign = open.find((question) => !mayEnd(question, person, accounts));
    if (foreign)
      return { kind: "refused", told: tellAs("denied", language, words.worldline.othersQuestion(foreign.askerName)) };
    parts.abortPreviews(session);
    // Who waits for sub-agents has no question of its own. A line that nobody is on any more is told nothing later.
    const { closed } = await parts.tasks.stopAll(session, person, "worldline");
    for (const question of closed) await parts.cards.showOutcome(question);
    const codes = closed.map(({ code }) => code);
    for (const question of open) if (await parked.end(question, "worldline", person.id)) codes.push(question.code);
    return { kind: "left", codes };
  }

  async function readSession(id: string): Promise<SessionRow> {
    const session = await findSession(store.main, id);
    if (!session) throw new TypeError(`a command came from session ${id}, which is not there`);
    return session;
  }

  return { worldline: (call) => (call.rest === "" ? show(call) : enter(call)), dmail };
}

function describeEnded(codes: readonly string[], words: Words): string {
  return codes.length === 0 ? "" : words.decision.cancelledByStop(codes);
}

function mayEnd(question: Question, { role }: Person, accounts: readonly string[]): boolean {
  return accounts.includes(question.asker) || role === "owner";
}

function readPointNumber(text: string): number | undefined {
  const digits = text.normalize("NFKC");
  return /^\d{1,9}$/.test(digits) ? Number(digits) : undefined;
}
