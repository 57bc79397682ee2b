import { randomInt } from "node:crypto";
import type { Kysely } from "kysely";
import type { Clock } from "../../core/clock.ts";
import { createId } from "../../core/ids.ts";
import { appendAudit } from "../../store/queries/audit.ts";
import type { Grant } from "../../store/queries/grants.ts";
import { insertQuestion } from "../../store/queries/insert-question.ts";
import { listQuestionsShownIn } from "../../store/queries/question-prompts.ts";
import {
  closeQuestion,
  consumeApprovedCall,
  findApprovedTerms,
  isCallApproved,
  setCallStates,
} from "../../store/queries/question-states.ts";
import {
  findQuestion,
  type ClosedHow,
  type QuestionDecision,
  type NewQuestion,
  type Question,
} from "../../store/queries/questions.ts";
import { deleteVotes, insertVote, listVoters, lockOpenQuestion } from "../../store/queries/votes.ts";
import type { Database } from "../../store/schema/database.ts";
import { countPeople, findPerson } from "./find-person.ts";
import { findGrantFault, makeGrants, type GrantRequest } from "./make-grants.ts";
import { mayDecide, type Decider } from "./may-decide.ts";
import type { DecisionFault, ApprovalTerms, Person } from "./types.ts";
import { areAsStrict, defaultTerms, isDefaultTerms } from "./approval-terms.ts";

export interface NewApproval {
  readonly session: string;
  readonly chatKind: "private" | "group";
  readonly turn: string;
  readonly interrupt: string;
  readonly person: Person;
  /** The sub-agent that wants to do it. */
  readonly agent?: string;
  readonly policy: string;
  readonly terms?: ApprovalTerms;
  /** Sessions of the owners' private chats; asked there when the terms say so. */
  readonly ownerChats?: readonly string[];
  readonly calls: NewQuestion["calls"];
}

/** Somebody's answer to a question. */
export interface ApprovalDecision {
  readonly decision: QuestionDecision;
  readonly by: Decider & { readonly name: string };
  readonly how: Extract<ClosedHow, "words" | "button" | "command">;
  /** Only these of its calls, counted from 1 as the prompt shows them. Approving some rejects the others. */
  readonly numbers?: readonly number[];
  /** The grant that comes with the approval. */
  readonly grant?: GrantRequest;
  /** Ids of people whose earlier vote counts no longer, since they may not decide any more. */
  readonly lapsed?: readonly string[];
}

/**
 * voted = a yes of several that it needs, `again` when this person had said it before; late = the deadline has passed but
 * nobody closed it yet; closed = somebody or something was first; forbidden and refused change nothing.
 */
export type DecisionResult =
  | { readonly kind: "decided"; readonly question: Question; readonly grants: readonly Grant[] }
  | { readonly kind: "voted"; readonly question: Question; readonly again: boolean }
  | { readonly kind: "late"; readonly question: Question }
  | { readonly kind: "closed"; readonly question: Question }
  | { readonly kind: "forbidden"; readonly question: Question }
  | { readonly kind: "refused"; readonly question: Question; readonly why: DecisionFault };

const dayMs = 24 * 3_600_000;
const codeLetters = "ABCDEFGHJKLMNPQRSTUVWXYZ";

/** `by` = the person who decided. */
export type OnDecided = (db: Kysely<Database>, question: Question, by: string) => Promise<void>;

/** Every transition a question can make. Each runs inside the caller's transaction and leaves one audit row. */
export class ApprovalManager {
  readonly #clock: Clock;
  readonly #timeoutMs: (chatKind: "private" | "group", session: string) => number;

  readonly #onDecided: OnDecided;

  constructor(options: {
    readonly clock: Clock;
    readonly timeoutMs: (chatKind: "private" | "group", session: string) => number;
    /** Called in the transaction of a decision. */
    readonly onDecided?: OnDecided;
  }) {
    this.#clock = options.clock;
    this.#timeoutMs = options.timeoutMs;
    this.#onDecided = options.onDecided ?? (() => Promise.resolve());
  }

  async open(db: Kysely<Database>, asked: NewApproval): Promise<Question> {
    const now = this.#clock.now();
    const terms = asked.terms && !isDefaultTerms(asked.terms) ? asked.terms : undefined;
    const routed = terms?.ask === "owner" ? (asked.ownerChats ?? []) : [];
    const id = createId("q", now);
    await insertQuestion(db, {
      id,
      code: drawCode(await listTakenCodes(db, [asked.session, ...routed], now)),
      session: asked.session,
      turn: asked.turn,
      interrupt: asked.interrupt,
      asker: asked.person.id,
      askerName: asked.person.name,
      ...(asked.agent !== undefined && { agent: asked.agent }),
      policy: asked.policy,
      deadline: now + this.#timeoutMs(asked.chatKind, asked.session),
      createdAt: now,
      terms: terms ?? null,
      routed,
      calls: asked.calls,
    });
    const question = await findQuestion(db, id);
    if (!question) throw new Error(`question ${id} was not stored`);
    await this.#audit(db, question, asked.person.id, "approval.asked", {});
    return question;
  }

  mayDecide(question: Question, decider: Decider, decision: QuestionDecision): boolean {
    return mayDecide(question, decider, decision);
  }

  /** Decides once, by compare-and-set; the deadline counts here and only here. */
  async decide(db: Kysely<Database>, id: string, answer: ApprovalDecision): Promise<DecisionResult> {
    const { decision, by, how, numbers, grant } = answer;
    const now = this.#clock.now();
    const question = await findQuestion(db, id);
    if (!question) throw new Error(`no question ${id}`);
    if (!mayDecide(question, by, decision)) return { kind: "forbidden", question };
    const why = findFault(question, answer);
    if (why && question.state === "open") return { kind: "refused", question, why };
    const needed = question.terms?.votes ?? 1;
    if (decision === "approved" && needed > 1) {
      const voted = await this.#vote(db, question, answer, now);
      if (voted) return voted;
    }
    const closing = { id, state: "decided", decision, by: by.id, how, now, beforeDeadline: true } as const;
    if (!(await closeQuestion(db, closing))) return this.#whyNot(db, question);
    const named = question.calls.filter((_, index) => numbers === undefined || numbers.includes(index + 1));
    const others = question.calls.filter((call) => !named.includes(call));
    await setCallStates(db, id, named.map(toId), decision);
    // Calls that a rejection does not name are asked again; those that an approval does not name are rejected.
    if (decision === "approved") await setCallStates(db, id, others.map(toId), "rejected");
    const parts = others.length === 0 ? {} : { only: named.map(toId).join(", ") };
    await this.#audit(db, question, by.id, `approval.${decision}`, { how, ...parts });
    const grants = grant ? await makeGrants(db, { question, wish: grant, by, now }) : [];
    // The votes have changed since.
    const voted = needed > 1 ? await findQuestion(db, id) : undefined;
    const decided: Question = voted ?? {
      ...question,
      state: "decided",
      decision,
      closedAt: now,
      closedBy: by.id,
      closedHow: how,
      calls: question.calls.map((call) => {
        if (call.state !== "asked") return call;
        if (named.includes(call)) return { ...call, state: decision };
        return decision === "approved" ? { ...call, state: "rejected" } : call;
      }),
    };
    await this.#onDecided(db, decided, by.id);
    return { kind: "decided", question: decided, grants };
  }

  /** One more vote. undefined = now there are as many as it needs. */
  async #vote(
    db: Kysely<Database>,
    question: Question,
    { by, how, lapsed = [] }: ApprovalDecision,
    now: number,
  ): Promise<DecisionResult | undefined> {
    const { createdAt, id } = question;
    if (!(await lockOpenQuestion(db, id, now))) return this.#whyNot(db, question);
    await deleteVotes(db, id, lapsed);
    // A vote by another account of the same person counts as theirs.
    const own = (await findPerson(db, by.id)).since(createdAt);
    const before = await listVoters(db, id);
    const isNew =
      !before.some((voter) => own.includes(voter)) &&
      (await insertVote(db, { question: id, person: by.id, name: by.name, how, now }));
    const count = await countPeople(db, await listVoters(db, id), createdAt);
    if (isNew) await this.#audit(db, question, by.id, "approval.voted", { how, votes: `${count}` });
    if (count >= (question.terms?.votes ?? 1)) return undefined;
    return { kind: "voted", question: (await findQuestion(db, id)) ?? question, again: !isNew };
  }

  async #whyNot(db: Kysely<Database>, { id }: Question): Promise<DecisionResult> {
    const question = await findQuestion(db, id);
    if (!question) throw new Error(`no question ${id}`);
    return { kind: question.state === "open" ? "late" : "closed", question };
  }

  /** Closes an open question without an answer. false = it was closed already. */
  async close(
    db: Kysely<Database>,
    question: Question,
    state: "expired" | "cancelled",
    by: string,
    how: Exclude<ClosedHow, "words" | "button" | "command">,
  ): Promise<boolean> {
    const now = this.#clock.now();
    const won = await closeQuestion(db, {
      id: question.id,
      state,
      decision: null,
      by,
      how,
      now,
      beforeDeadline: false,
    });
    if (won) await this.#audit(db, question, by, `approval.${state}`, { how });
    return won;
  }

  /**
   * Uses up the approval of one call. false = not approved with these arguments, used already, or approved on terms that
   * are not enough for `wanted`: those that hold for the person now.
   */
  async consume(
    db: Kysely<Database>,
    turn: string,
    call: string,
    hash: string,
    wanted?: ApprovalTerms,
  ): Promise<boolean> {
    const asked = wanted && !isDefaultTerms(wanted) ? await findApprovedTerms(db, turn, call, hash) : undefined;
    if (wanted && !isDefaultTerms(wanted) && !areAsStrict(asked ?? defaultTerms, wanted)) return false;
    return consumeApprovedCall(db, turn, call, hash);
  }

  /** Whether a call of this name was approved and not used up, under any hash. */
  async isApproved(db: Kysely<Database>, turn: string, call: string): Promise<boolean> {
    return isCallApproved(db, turn, call);
  }

  async #audit(
    db: Kysely<Database>,
    question: Question,
    actor: string,
    action: string,
    more: Record<string, string>,
  ): Promise<void> {
    await appendAudit(db, {
      actor,
      action,
      session: question.session,
      turn: question.turn,
      detail: {
        question: question.id,
        code: question.code,
        ...(question.agent !== null && { agent: question.agent }),
        ...(question.terms && { terms: { ...question.terms, approvers: [...(question.terms.approvers ?? [])] } }),
        calls: question.calls.map(({ call, tool, hash, network }) => ({
          call,
          tool,
          hash,
          ...(network.length > 0 && { network: [...network] }),
        })),
        ...more,
      },
      now: this.#clock.now(),
    });
  }
}

const toId = ({ call }: { readonly call: string }): string => call;

function findFault(question: Question, { decision, numbers, grant }: ApprovalDecision): DecisionFault | undefined {
  const last = question.calls.length;
  const wrong = numbers?.find((number) => number < 1 || number > last);
  if (wrong !== undefined) return { kind: "no-such-number", number: wrong, last };
  const shared = decision === "approved" && (question.terms?.votes ?? 1) > 1;
  if (shared && numbers !== undefined && new Set(numbers).size < last) return { kind: "whole-only" };
  return grant && findGrantFault(question, grant);
}

/** A code of today must not come back: 「确认 K7」 on its way may still mean the question before. */
async function listTakenCodes(
  db: Kysely<Database>,
  sessions: readonly string[],
  now: number,
): Promise<ReadonlySet<string>> {
  const taken = new Set<string>();
  for (const session of new Set(sessions)) {
    const open = await listQuestionsShownIn(db, session);
    const recent = await listQuestionsShownIn(db, session, now - dayMs);
    for (const { code } of [...open, ...recent]) taken.add(code);
  }
  return taken;
}

/** A letter and a digit, easy to read out; longer when a chat really has that many questions open. */
function drawCode(taken: ReadonlySet<string>): string {
  for (let attempt = 0; ; attempt += 1) {
    const letters = Array.from(
      { length: 1 + Math.floor(attempt / 50) },
      () => codeLetters[randomInt(codeLetters.length)],
    );
    const code = `${letters.join("")}${2 + randomInt(8)}`;
    if (!taken.has(code)) return code;
  }
}
