import type { Clock } from "../../core/clock.ts";
import { setInboxState, type InboxItem } from "../../store/queries/inbox.ts";
import type { Decision, Question } from "../../store/queries/questions.ts";
import type { Store } from "../../store/open-store.ts";
import type { ApprovalManager } from "../../tools/approval.ts";
import { queueResume } from "../turns/jobs.ts";
import type { ParkedTurns } from "./parked-turns.ts";

interface Deciding {
  readonly question: Question;
  readonly decision: Decision;
  readonly by: { readonly id: string; readonly name: string };
  readonly how: "words" | "button" | "command";
  /** What the turn's next words are caused by; a one-shot client waits for them. */
  readonly cause: string;
  /** The row of the answer, finished together with the decision. */
  readonly inbox?: string;
}

/** expired = the deadline had passed; `told` = its notice went out just now, as the answer to this decision. */
type Decided =
  | { readonly kind: "decided"; readonly question: Question }
  | { readonly kind: "expired"; readonly told: boolean }
  | { readonly kind: "closed"; readonly question: Question };

export type DecideQuestion = (deciding: Deciding) => Promise<Decided>;

/** The one way from a yes or no to the resumed turn, for words, buttons and the command line. */
export function createDecideQuestion(parts: {
  readonly store: Store;
  readonly approvals: ApprovalManager;
  readonly parked: ParkedTurns;
  /** Absent work is found by the next start. */
  readonly resume: (item: InboxItem) => void;
  readonly clock: Clock;
}): DecideQuestion {
  const { store, approvals, parked, clock } = parts;
  return async ({ question, decision, by, how, cause, inbox }) => {
    const { result, resume } = await store.main.transaction().execute(async (tx) => {
      const result = await approvals.decide(tx, question.id, decision, by.id, how);
      if (result.kind !== "decided") return { result, resume: undefined };
      if (inbox !== undefined) await setInboxState(tx, inbox, "done", clock.now());
      return { result, resume: await queueResume(tx, result.question, cause, clock.now()) };
    });
    switch (result.kind) {
      case "decided":
        if (resume) parts.resume(resume);
        await parked.showOutcome(result.question, by.name);
        return result;
      case "late":
        return { kind: "expired", told: await parked.end(result.question, "expiry", "gateway", cause) };
      case "closed":
        return result;
    }
  };
}
