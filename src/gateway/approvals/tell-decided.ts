import type { Kysely } from "kysely";
import type { Clock } from "../../core/clock.ts";
import type { Language } from "../../core/conversation.ts";
import type { Words } from "../../core/words/dictionary.ts";
import { wordsFor } from "../../core/words/words.ts";
import type { Grant } from "../../store/queries/grants.ts";
import { findSession, type SessionRow } from "../../store/queries/sessions.ts";
import type { Database } from "../../store/schema/database.ts";
import type { DecisionResult } from "../../policy/approval-manager.ts";
import { describeGrantEnd, describePattern } from "./describe-grants.ts";
import { queueMessage } from "../outbox/outbox.ts";
import { toAddress } from "../../channels/to-address.ts";

/** What a decision needs said besides its outcome; answers the sessions where something was queued. */
export function createTellDecided({ zone, clock }: { readonly zone: string; readonly clock: Clock }) {
  async function say(tx: Kysely<Database>, session: SessionRow, id: string, text: string, cause?: string) {
    const message = { id, kind: "notice", address: toAddress(session), text, plain: true } as const;
    await queueMessage(tx, { ...message, ...(cause !== undefined && { cause, partial: true }) }, clock.now());
  }

  return async (
    tx: Kysely<Database>,
    { question, grants }: Extract<DecisionResult, { kind: "decided" }>,
    given: { readonly cause: string; readonly chat?: string; readonly by: { readonly name: string } },
  ): Promise<readonly string[]> => {
    const session = await findSession(tx, question.session);
    if (!session) return [];
    const words = wordsFor(session.language as Language);
    const told: string[] = [];
    if (grants.length > 0) {
      const text = grants.map((grant) => describeNew(grant, words, zone)).join("\n");
      await say(tx, session, `${question.id}.granted`, text, given.cause);
      told.push(session.id);
    }
    // Where it is asked elsewhere, the chat it comes from hears what became of it, and the other that it was understood.
    if (question.terms?.ask !== "owner" || given.chat === session.id) return told;
    const { ownerApproved, ownerRejected } = words.approval;
    const end = { code: question.code, name: given.by.name };
    const heard = question.decision === "approved" ? ownerApproved(end) : ownerRejected(end);
    await say(tx, session, `${question.id}.heard`, heard);
    const elsewhere = given.chat === undefined ? undefined : await findSession(tx, given.chat);
    if (elsewhere) {
      const { heardForElsewhere } = wordsFor(elsewhere.language as Language).approval;
      await say(tx, elsewhere, `${question.id}.there`, heardForElsewhere(question.code));
    }
    return [...told, session.id, ...(elsewhere ? [elsewhere.id] : [])];
  };
}

function describeNew(grant: Grant, words: Words, zone: string): string {
  const pattern = describePattern(grant, words);
  return words.approval.granted({ code: grant.code, pattern, until: describeGrantEnd(grant, words, zone) });
}
