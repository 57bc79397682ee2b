import { randomInt } from "node:crypto";
import type { Kysely } from "kysely";
import type { Clock } from "../core/clock.ts";
import { createId } from "../core/ids.ts";
import { appendAudit } from "../store/queries/audit.ts";
import { insertQuestion } from "../store/queries/insert-question.ts";
import { closeQuestion, consumeApprovedCall, isCallApproved, setCallStates } from "../store/queries/question-states.ts";
import {
  findQuestion,
  listClosedQuestions,
  listOpenQuestions,
  type ClosedHow,
  type Decision,
  type NewQuestion,
  type Question,
} from "../store/queries/questions.ts";
import type { Database } from "../store/schema.ts";
import { learnFromDecision } from "./preferences/learn-from-decision.ts";
import type { Person } from "./types.ts";

export interface NewApproval {
  readonly session: string;
  readonly chatKind: "private" | "group";
  readonly turn: string;
  readonly interrupt: string;
  readonly person: Person;
  /** The sub-agent that wants to do it. */
  readonly agent?: string;
  readonly policy: string;
  readonly calls: NewQuestion["calls"];
}

/** late = the deadline has passed but nobody closed it yet; closed = somebody or something was first. */
export type DecisionResult =
  | { readonly kind: "decided"; readonly question: Question }
  | { readonly kind: "late"; readonly question: Question }
  | { readonly kind: "closed"; readonly question: Question };

/** Who wants to decide, and from where. `elsewhere` = another chat than the question's. */
export interface Decider {
  readonly id: string;
  readonly role: Person["role"];
  readonly place: "same-chat" | "elsewhere" | "console" | "command";
}

const dayMs = 24 * 3_600_000;
const codeLetters = "ABCDEFGHJKLMNPQRSTUVWXYZ";

/** Every transition a question can make. Each runs inside the caller's transaction and leaves one audit row. */
export class ApprovalManager {
  readonly #clock: Clock;
  readonly #timeoutMs: (chatKind: "private" | "group") => number;

  constructor(options: { readonly clock: Clock; readonly timeoutMs: (chatKind: "private" | "group") => number }) {
    this.#clock = options.clock;
    this.#timeoutMs = options.timeoutMs;
  }

  async open(db: Kysely<Database>, asked: NewApproval): Promise<Question> {
    const now = this.#clock.now();
    const open = await listOpenQuestions(db, asked.session);
    // A code of today must not come back: 「确认 K7」 on its way may still mean the question before.
    const recent = await listClosedQuestions(db, asked.session, now - dayMs);
    const taken = new Set([...open, ...recent].map((question) => question.code));
    const id = createId("q", now);
    await insertQuestion(db, {
      id,
      code: drawCode(taken),
      session: asked.session,
      turn: asked.turn,
      interrupt: asked.interrupt,
      asker: asked.person.id,
      askerName: asked.person.name,
      ...(asked.agent !== undefined && { agent: asked.agent }),
      policy: asked.policy,
      deadline: now + this.#timeoutMs(asked.chatKind),
      createdAt: now,
      calls: asked.calls,
    });
    const question = await findQuestion(db, id);
    if (!question) throw new Error(`question ${id} was not stored`);
    await this.#audit(db, question, asked.person.id, "approval.asked", {});
    return question;
  }

  /** Only the person it was asked for, an owner in the same chat, and the operator's own tools may decide. */
  mayDecide(question: Question, decider: Decider): boolean {
    if (decider.place === "console" || decider.place === "command") return true;
    if (decider.place === "elsewhere") return false;
    if (decider.role === "owner") return true;
    return decider.id === question.asker && decider.role !== "guest";
  }

  /** Decides once, by compare-and-set; the deadline counts here and only here. */
  async decide(
    db: Kysely<Database>,
    id: string,
    decision: Decision,
    by: string,
    how: Extract<ClosedHow, "words" | "button" | "command">,
  ): Promise<DecisionResult> {
    const now = this.#clock.now();
    const won = await closeQuestion(db, { id, state: "decided", decision, by, how, now, beforeDeadline: true });
    const question = await findQuestion(db, id);
    if (!question) throw new Error(`no question ${id}`);
    if (!won) return { kind: question.state === "open" ? "late" : "closed", question };
    const calls = question.calls.map((call) => call.call);
    await setCallStates(db, id, calls, decision);
    await this.#audit(db, question, by, `approval.${decision}`, { how });
    const decided = (await findQuestion(db, id)) ?? question;
    await learnFromDecision(db, decided, by, now);
    return { kind: "decided", question: decided };
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

  /** Uses up the approval of one call. false = not approved with these arguments, or used already. */
  async consume(db: Kysely<Database>, turn: string, call: string, hash: string): Promise<boolean> {
    return consumeApprovedCall(db, turn, call, hash);
  }

  /** Whether a call of this name was approved and not used up, whatever it was bound to. */
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
