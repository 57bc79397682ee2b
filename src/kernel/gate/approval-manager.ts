import { randomInt } from "node:crypto";
import type { Kysely } from "kysely";
import type { Clock } from "../../core/clock.ts";
import { createId } from "../../core/ids.ts";
import { noMeter, type Meter, type QuestionEnd } from "../../core/meter.ts";
import { appendAudit } from "../../store/queries/audit.ts";
import type { Grant } from "../../store/queries/grants.ts";
import { insertQuestion } from "../../store/queries/insert-question.ts";
import { listRecentQuestions } from "../../store/queries/question-prompts.ts";
import {
  closeQuestion,
  consumeApprovedCall,
  findApprovedTerms,
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
  /** The sub-agent that requests the calls. */
  readonly agent?: string;
  readonly policy: string;
  readonly terms?: ApprovalTerms;
  /** Sessions of the owners' private chats, which get the question when the terms say so. */
  readonly ownerChats?: readonly string[];
  readonly calls: NewQuestion["calls"];
}

/** How people answer. */
type AnsweredHow = Extract<ClosedHow, "words" | "button" | "command" | "console">;

/** A person's answer to a question. */
export interface ApprovalDecision {
  readonly decision: QuestionDecision;
  readonly by: Decider & { readonly name: string };
  readonly how: AnsweredHow;
  /** Restricts the answer to these calls, counted from 1 as in the prompt. Approving some rejects the others. */
  readonly numbers?: readonly number[];
  /** The grant requested with the approval. */
  readonly grant?: GrantRequest;
  /** The id of the console's login, for the audit. */
  readonly login?: string;
  /** Ids of earlier voters whose vote is void, because they lost the right to decide. */
  readonly lapsed?: readonly string[];
}

/**
 * `voted`: one approval of several; `again` means that this person had voted before. `late`: the deadline has passed,
 * but the question is still open. `closed`: another answer or event came first. `forbidden` and `refused` change
 * nothing.
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

/** `by` is the person who decided. */
export type OnDecided = (db: Kysely<Database>, question: Question, by: string) => Promise<void>;

/** Every transition of a question. Each runs in the caller's transaction and writes one audit row. */
export class ApprovalManager {
  readonly #clock: Clock;
  readonly #timeoutMs: (chatKind: "private" | "group", session: string) => number;

  readonly #onDecided: OnDecided;
  readonly #meter: Meter;

  constructor(options: {
    readonly clock: Clock;
    readonly timeoutMs: (chatKind: "private" | "group", session: string) => number;
    /** Runs in the transaction of a decision. */
    readonly onDecided?: OnDecided;
    readonly meter?: Meter;
  }) {
    this.#clock = options.clock;
    this.#timeoutMs = options.timeoutMs;
    this.#onDecided = options.onDecided ?? (() => Promise.resolve());
    this.#meter = options.meter ?? noMeter;
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
    this.#meter({ kind: "question-asked", turn: question.turn, calls: question.calls.length, at: now });
    return question;
  }

  /** Decides once, by compare-and-set. The deadline is enforced here and nowhere else. */
  async decide(db: Kysely<Database>, id: string, answer: ApprovalDecision): Promise<DecisionResult> {
    const { decision, by, numbers, grant } = answer;
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
    const closing = { id, state: "decided", decision, by: by.id, how: answer.how, now, beforeDeadline: true } as const;
    if (!(await closeQuestion(db, closing))) return this.#whyNot(db, question);
    const named = question.calls.filter((_, index) => numbers === undefined || numbers.includes(index + 1));
    const others = question.calls.filter((call) => !named.includes(call));
    await setCallStates(db, id, named.map(toId), decision);
    // A rejection leaves unnamed calls to be asked again; an approval rejects them.
    if (decision === "approved") await setCallStates(db, id, others.map(toId), "rejected");
    const parts = others.length === 0 ? {} : { only: named.map(toId).join(", ") };
    await this.#audit(db, question, by.id, `approval.${decision}`, { ...tellHow(answer), ...parts });
    const grants = grant ? await makeGrants(db, { question, wish: grant, by, now }) : [];
    // Votes and the place of the prompt may have changed since it was read.
    const decided = (await findQuestion(db, id)) ?? question;
    await this.#onDecided(db, decided, by.id);
    this.#countEnd(question, decision, now);
    return { kind: "decided", question: decided, grants };
  }

  /** Adds a vote. Returns undefined once there are enough. */
  async #vote(
    db: Kysely<Database>,
    question: Question,
    answer: ApprovalDecision,
    now: number,
  ): Promise<DecisionResult | undefined> {
    const { by, how, lapsed = [] } = answer;
    const { createdAt, id } = question;
    if (!(await lockOpenQuestion(db, id, now))) return this.#whyNot(db, question);
    await deleteVotes(db, id, lapsed);
    // Votes of all accounts of a person count as one.
    const own = (await findPerson(db, by.id)).since(createdAt);
    const before = await listVoters(db, id);
    const isNew =
      !before.some((voter) => own.includes(voter)) &&
      (await insertVote(db, { question: id, person: by.id, name: by.name, how, now }));
    const count = await countPeople(db, await listVoters(db, id), createdAt);
    if (isNew) await this.#audit(db, question, by.id, "approval.voted", { ...tellHow(answer), votes: `${count}` });
    if (count >= (question.terms?.votes ?? 1)) return undefined;
    return { kind: "voted", question: (await findQuestion(db, id)) ?? question, again: !isNew };
  }

  async #whyNot(db: Kysely<Database>, { id }: Question): Promise<DecisionResult> {
    const question = await findQuestion(db, id);
    if (!question) throw new Error(`no question ${id}`);
    return { kind: question.state === "open" ? "late" : "closed", question };
  }

  /** Closes an open question without an answer. Returns false when it was closed already. */
  async close(
    db: Kysely<Database>,
    question: Question,
    state: "expired" | "cancelled",
    by: string,
    how: Exclude<ClosedHow, AnsweredHow>,
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
    if (won) this.#countEnd(question, state, now);
    return won;
  }

  #countEnd({ createdAt }: Question, decision: QuestionEnd, now: number): void {
    this.#meter({ kind: "question-closed", decision, openMs: now - createdAt });
  }

  /**
   * Consumes the approval of one call. Returns false when the call is not approved with these arguments, was consumed
   * already, or was approved on terms weaker than `wanted`, the terms that apply now.
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

const tellHow = ({ how, login }: ApprovalDecision): Record<string, string> => ({
  how,
  ...(login !== undefined && { login }),
});

const toId = ({ call }: { readonly call: string }): string => call;

function findFault(question: Question, { decision, numbers, grant }: ApprovalDecision): DecisionFault | undefined {
  const last = question.calls.length;
  const wrong = numbers?.find((number) => number < 1 || number > last);
  if (wrong !== undefined) return { kind: "no-such-number", number: wrong, last };
  const shared = decision === "approved" && (question.terms?.votes ?? 1) > 1;
  if (shared && numbers !== undefined && new Set(numbers).size < last) return { kind: "whole-only" };
  return grant && findGrantFault(question, grant);
}

/** A code is not reused within a day: a 「确认 K7」 still on its way may mean the earlier question. */
async function listTakenCodes(
  db: Kysely<Database>,
  sessions: readonly string[],
  now: number,
): Promise<ReadonlySet<string>> {
  const taken = new Set<string>();
  for (const session of new Set(sessions)) {
    const { closed, open } = await listRecentQuestions(db, session, now - dayMs);
    for (const { code } of [...open, ...closed]) taken.add(code);
  }
  return taken;
}

/** A letter and a digit, easy to read aloud; longer only when a chat had very many questions within a day. */
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
