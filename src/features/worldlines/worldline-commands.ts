import type { Kysely } from "kysely";
import { joinSentences } from "../../core/words/join-sentences.ts";
import { readAnswerWords } from "../../kernel/questions/approval-words.ts";
import type { CommandAnswer, CommandCall } from "../../kernel/commands/command-call.ts";
import { refuseMessage } from "../../kernel/outbox/refuse-message.ts";
import { tellAs, type Told } from "../../kernel/outbox/tell-as.ts";
import type { Kernel } from "../../kernel/feature/define-feature.ts";
import { findInboxItem } from "../../store/queries/inbox.ts";
import { findWholeSession, type WholeSession } from "../../store/queries/sessions.ts";
import { type BranchSwitcher, isAtWork } from "./branch-switcher.ts";
import { findBranchNumber, findOtherBranch, listOtherBranches, listPoints } from "./branches.ts";
import {
  describeEnded,
  describeMove,
  describeWorldlines,
  nameBranch,
  readBranch,
  shortenWords,
} from "./describe-worldlines.ts";
import type { Database } from "../../store/schema/database.ts";
import { worldlineWords } from "./words.ts";

/** Handles `/worldline` and `/dmail`. Returns undefined if the move has queued its own message. */
export interface WorldlineCommands {
  worldline(call: CommandCall): Promise<CommandAnswer | undefined>;
  dmail(call: CommandCall): Promise<CommandAnswer | undefined>;
}

const maxPointsShown = 20;
const maxBranchesShown = 10;

export function createWorldlineCommands(
  kernel: Pick<Kernel, "clock" | "gateway" | "store" | "systemReplies" | "zone"> & {
    readonly branchSwitcher: BranchSwitcher;
  },
): WorldlineCommands {
  const { store, branchSwitcher, clock } = kernel;

  async function show({ session: id, language, message }: CommandCall): Promise<CommandAnswer> {
    const session = await readSession(id);
    const view = {
      points: await listPoints(store.main, session, session.points - maxPointsShown, session.points - 1),
      current: await findBranchNumber(store.main, session),
      others: await listOtherBranches(store.main, session, maxBranchesShown),
      inGroup: message.chatKind === "group",
    };
    const text = describeWorldlines({ ...view, zone: kernel.zone(), now: clock.now(), language });
    return { text, preformatted: true };
  }

  async function enter(call: CommandCall): Promise<CommandAnswer | undefined> {
    const { message, person, rest } = call;
    const texts = worldlineWords[call.language];
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
    const told = describeMove(known, left.codes, call.language);
    const report = (tx: Kysely<Database>) => kernel.systemReplies.queue(tx, call.item, message, told);
    return (await branchSwitcher.enter({ ...call, report }, session, number))
      ? undefined
      : tellAs("failed", call.language, texts.busy);
  }

  async function listNames(session: WholeSession, current: number, { language, rest }: CommandCall): Promise<string> {
    const others = await listOtherBranches(store.main, session, maxBranchesShown);
    const numbers = [current, ...others.map(({ number }) => number)].toSorted((a, b) => a - b);
    const names = numbers.map((number) => `${number} (${nameBranch(number)})`).join(", ");
    return worldlineWords[language].noSuchLine({ asked: shortenWords(rest), names });
  }

  async function dmail(call: CommandCall): Promise<CommandAnswer | undefined> {
    const { item, message, person, rest, words } = call;
    const texts = worldlineWords[call.language];
    const stored = await findInboxItem(store.main, item.id);
    if (stored && stored.state !== "received") {
      // A fault came after the fork: the branch and the message exist, and only the lane has to hear of it.
      kernel.gateway.pushToLane(stored);
      return undefined;
    }
    const [, asked = "", said = ""] = /^(\S+)(?:\s+([\s\S]*))?$/.exec(rest) ?? [];
    const number = readPointNumber(asked);
    if (number === undefined || said.trim() === "") return { text: texts.dmailUsage };
    const refusal = refuseMessage({ ...message, text: said }, words);
    if (refusal !== undefined) return tellAs("unreadable", call.language, refusal);
    // The move cancels the question that it may be meant for, and the model must not take it as an approval of anything
    // else.
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
    const told = joinSentences([texts.sent(number), describeEnded(left.codes, call.language)], call.language);
    const work = await branchSwitcher.fork(call, session, { ...to, text: said, told, ended: left.codes });
    if (!work) return tellAs("failed", call.language, texts.busy);
    kernel.gateway.pushToLane(work);
    return undefined;
  }

  /** Cancels what waits for an answer on the branch that is left. Refused while a turn is running, or when a question waits for another person. */
  async function leaveLine({
    item,
    session,
    language,
    person,
  }: CommandCall): Promise<
    { readonly kind: "left"; readonly codes: readonly string[] } | { readonly kind: "refused"; readonly told: Told }
  > {
    const texts = worldlineWords[language];
    if (await isAtWork(store.main, session, item.seq))
      return { kind: "refused", told: tellAs("failed", language, texts.busy) };
    const ended = await kernel.gateway.endOpenQuestions(session, person);
    return ended.kind === "refused"
      ? { kind: "refused", told: tellAs("denied", language, texts.othersQuestion(ended.askerName)) }
      : { kind: "left", codes: ended.codes };
  }

  async function readSession(id: string): Promise<WholeSession> {
    const session = await findWholeSession(store.main, id);
    if (!session) throw new TypeError(`a command came from session ${id}, which is not there`);
    return session;
  }

  return { worldline: (call) => (call.rest === "" ? show(call) : enter(call)), dmail };
}

function readPointNumber(text: string): number | undefined {
  const digits = text.normalize("NFKC");
  return /^\d{1,9}$/.test(digits) ? Number(digits) : undefined;
}
