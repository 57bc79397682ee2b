import { setImmediate } from "node:timers/promises";
import type { Kysely } from "kysely";
import type { Clock } from "../../core/clock.ts";
import type { Language } from "../../core/conversation.ts";
import type { Words } from "../../core/words/dictionary.ts";
import { wordsFor } from "../../core/words/words.ts";
import type { Grant } from "../../store/queries/grants.ts";
import { setInboxState, type InboxItem } from "../../store/queries/inbox.ts";
import { findQuestion, type Question } from "../../store/queries/questions.ts";
import { findPersonZone } from "../../store/queries/person-settings.ts";
import { findSession, type SessionRow } from "../../store/queries/sessions.ts";
import type { Store } from "../../store/open-store.ts";
import type { Database } from "../../store/schema/database.ts";
import type { ApprovalManager, DecisionResult, ApprovalDecision } from "../gate/approval-manager.ts";
import { findPerson } from "../gate/find-person.ts";
import { mayDecide } from "../gate/may-decide.ts";
import type { WarmUpCalls } from "../tools/warm-up-calls.ts";
import type { FindVoice } from "../tools/persona-wrapper.ts";
import { queueMessage, type Outbox } from "../outbox/outbox.ts";
import { queueResume } from "../lanes/jobs.ts";
import type { Roles } from "../people/find-role.ts";
import { describeGrantEnd, describePattern } from "./describe-grants.ts";
import type { QuestionCards } from "./question-cards.ts";
import { toAddress } from "../../channels/to-address.ts";
import { consoleOwner } from "../../core/own-platforms.ts";
import type { ParkedTurns } from "./parked-turns.ts";
import { tellAs, type Told } from "../outbox/tell-as.ts";

interface Deciding extends ApprovalDecision {
  readonly question: Question;
  /** The chat in which the decision is made; absent for the console and the command line. */
  readonly chat?: string;
  /** The cause of the turn's next messages; a one-shot client waits for them. */
  readonly cause: string;
  /** The inbox row of the answer, finished in the same transaction. */
  readonly inbox?: string;
}

/** `expired`: the deadline had passed. `told` is true when this decision triggered the expiry notice. */
type Decided =
  | Exclude<DecisionResult, { readonly kind: "late" }>
  | { readonly kind: "expired"; readonly told: boolean };

export type DecideQuestion = (deciding: Deciding) => Promise<Decided>;

/** The only path from a decision to the resumed turn, for words, buttons, the console and the command line. */
export function createDecideQuestion(parts: {
  readonly store: Store;
  readonly approvals: ApprovalManager;
  readonly roles: Pick<Roles, "anywhere">;
  readonly parked: Pick<ParkedTurns, "end">;
  readonly cards: QuestionCards;
  /** Whether the workspace changed since the question's preview. */
  readonly isOutdated: (question: Question) => Promise<boolean>;
  readonly warmUp: WarmUpCalls;
  /** Gives a job to its lane. When the process ends before that, the next start finds the job. */
  readonly pushToLane: (item: InboxItem) => void;
  readonly outbox: Outbox;
  readonly voice: FindVoice;
  readonly zone: () => string;
  readonly clock: Clock;
}): DecideQuestion {
  const { store, approvals, cards, parked, clock } = parts;
  const tellDecided = createTellDecided(parts);

  /** The approval is for the call and not for its preview, so it counts; the notice says that the two may differ. */
  async function tellOutdated(tx: Kysely<Database>, question: Question, cause: string): Promise<void> {
    const session = await findSession(tx, question.session);
    if (!session) return;
    const text = wordsFor(session.language as Language).previews.outdated(question.code);
    const id = `${question.id}.outdated`;
    const message = { id, kind: "notice", address: toAddress(session), text, plain: true } as const;
    await queueMessage(tx, { ...message, cause, partial: true }, clock.now());
  }

  /** Earlier approvers who lost the right to decide since they voted. */
  async function listLapsed({ id, terms }: Question): Promise<readonly string[]> {
    const question = (terms?.votes ?? 1) > 1 ? await findQuestion(store.main, id) : undefined;
    if (!question) return [];
    const lapsed: string[] = [];
    for (const { person: id } of question.votes) {
      // Whoever is signed in there stays the owner.
      if (id === consoleOwner) continue;
      const role = await parts.roles.anywhere(id, question.session);
      const person = await findPerson(store.main, id);
      if (!mayDecide(question, { id, role, person, place: "same-chat" }, "approved")) lapsed.push(id);
    }
    return lapsed;
  }

  return async ({ question, chat, cause, inbox, ...given }) => {
    const { by, decision } = given;
    const approvalDecision = { ...given, lapsed: decision === "approved" ? await listLapsed(question) : [] };
    const outdated = decision === "approved" && (await parts.isOutdated(question));
    const { result, resume, told } = await store.main.transaction().execute(async (tx) => {
      const result = await approvals.decide(tx, question.id, approvalDecision);
      if (result.kind !== "decided") return { result, resume: undefined, told: [] };
      if (inbox !== undefined) await setInboxState(tx, inbox, "done", clock.now());
      if (outdated) await tellOutdated(tx, result.question, cause);
      const told = await tellDecided(tx, result, { cause, by, ...(chat !== undefined && { chat }) });
      return { result, resume: await queueResume(tx, result.question, cause, clock.now()), told };
    });
    switch (result.kind) {
      case "decided":
        // Usually done already, unless another process asked the question.
        if (decision === "approved") parts.warmUp(result.question);
        if (outdated) parts.outbox.wake(question.session);
        for (const session of told) parts.outbox.wake(session);
        if (resume) parts.pushToLane(resume);
        // Lets the approved call start before the card is updated.
        await setImmediate();
        await cards.showOutcome(result.question, by.name);
        return result;
      case "voted":
        await cards.showVotes(result.question);
        return result;
      case "late":
        return { kind: "expired", told: await parked.end(result.question, "expiry", "gateway", cause) };
      case "closed":
      case "forbidden":
      case "refused":
        return result;
    }
  };
}

/** Queues the notices that a decision needs besides its outcome. Returns the sessions with new messages. */
function createTellDecided({
  voice,
  zone,
  clock,
}: {
  readonly voice: FindVoice;
  readonly zone: () => string;
  readonly clock: Clock;
}) {
  async function say(tx: Kysely<Database>, session: SessionRow, id: string, { text: fixed, as }: Told, cause?: string) {
    const context = { chat: session.id, language: session.language as Language };
    const text = as === undefined ? fixed : voice(session.id).tell(context, as.situation, fixed);
    const message = { id, kind: "notice", address: toAddress(session), text, plain: true } as const;
    await queueMessage(tx, { ...message, ...(cause !== undefined && { cause, partial: true }) }, clock.now());
  }

  return async (
    tx: Kysely<Database>,
    { question, grants }: Extract<DecisionResult, { kind: "decided" }>,
    given: { readonly cause: string; readonly chat?: string; readonly by: { readonly name: string } },
  ): Promise<readonly string[]> => {
    const isElsewhere = question.terms?.ask === "owner" && given.chat !== question.session;
    const session = grants.length > 0 || isElsewhere ? await findSession(tx, question.session) : undefined;
    if (!session) return [];
    const language = session.language as Language;
    const words = wordsFor(language);
    const told: string[] = [];
    if (grants.length > 0) {
      const ofAsker = (await findPersonZone(tx, question.asker)) ?? zone();
      const text = grants.map((grant) => describeNew(grant, words, ofAsker)).join("\n");
      await say(tx, session, `${question.id}.granted`, tellAs("approved", language, text), given.cause);
      told.push(session.id);
    }
    // An owner decided in another chat: the asking chat gets the decision, the owner's chat a receipt.
    if (!isElsewhere) return told;
    const { ownerApproved, ownerRejected } = words.approval;
    const end = { code: question.code, name: given.by.name };
    const isApproved = question.decision === "approved";
    const heard = isApproved ? tellAs("approved", language, ownerApproved(end)) : { text: ownerRejected(end) };
    await say(tx, session, `${question.id}.heard`, heard);
    const elsewhere = given.chat === undefined ? undefined : await findSession(tx, given.chat);
    if (elsewhere) {
      const { approval } = wordsFor(elsewhere.language as Language);
      const text = approval.heardForElsewhere(question.code);
      const as = {
        situation: isApproved ? "approved" : "cancelled",
        language: elsewhere.language as Language,
      } as const;
      await say(tx, elsewhere, `${question.id}.there`, { text, as });
    }
    return [...told, session.id, ...(elsewhere ? [elsewhere.id] : [])];
  };
}

function describeNew(grant: Grant, words: Words, zone: string): string {
  const pattern = describePattern(grant, words);
  return words.approval.granted({ code: grant.code, pattern, until: describeGrantEnd(grant, words, zone) });
}
