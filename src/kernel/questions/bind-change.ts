import type { Question } from "../../store/queries/questions.ts";
import type { ChangeWish } from "./read-change.ts";

export type ChangeBinding =
  | { readonly kind: "change"; readonly question: Question }
  | { readonly kind: "several"; readonly codes: readonly string[] }
  | { readonly kind: "ordinary" };

/**
 * Finds the question that a person wants to change: one of their own that they can have seen. Only the person who
 * requested a call may change it. Pure.
 */
export function bindChange(situation: {
  readonly wish: Pick<ChangeWish, "code">;
  readonly quote: { readonly messageId: string } | undefined;
  /** Person id. */
  readonly by: string;
  readonly seq: number;
  /** Open questions that are shown in this chat. */
  readonly open: readonly Question[];
}): ChangeBinding {
  const { wish, quote, by, seq, open } = situation;
  const mine = open.filter(({ asker, shownAfter }) => asker === by && shownAfter !== null && seq > shownAfter);
  const meant = mine.filter(
    ({ code, promptMessage }) =>
      (wish.code === undefined || wish.code === code) && (quote === undefined || quote.messageId === promptMessage),
  );
  const [only, ...others] = meant;
  if (others.length > 0) return { kind: "several", codes: meant.map(({ code }) => code) };
  return only ? { kind: "change", question: only } : { kind: "ordinary" };
}
