import type { Clock } from "../../core/clock.ts";
import { joinTaint } from "../../core/taint.ts";
import type { BeginningTurn, TurnNote } from "../../kernel/feature/hook-arguments.ts";
import type { Store } from "../../store/open-store.ts";
import { noteOverheard, noteReactions } from "./overhear.ts";
import { listUntold, markTold, overheardLimits } from "./queries/overheard.ts";
import { dropReactions, listReactions } from "./queries/reactions.ts";

/**
 * Notes for a turn: what was said in the group without addressing her, then the reactions to her words. Each is given
 * once.
 */
export function createTurnNotes(parts: { readonly store: Pick<Store, "main">; readonly clock: Clock }) {
  const { store, clock } = parts;

  async function tellOverheard({ language, session }: BeginningTurn, now: number): Promise<readonly TurnNote[]> {
    const wanted = { most: overheardLimits.most, since: now - overheardLimits.ageMs };
    const { heard, upTo } = await listUntold(store.main, session, wanted);
    const message = noteOverheard(heard, language, now);
    if (message === undefined) return [];
    return [{ message, taint: "untrusted", written: (tx) => markTold(tx, session, upTo) }];
  }

  async function tellReactions({ session }: BeginningTurn, now: number): Promise<readonly TurnNote[]> {
    const { reactions, reactedUpTo } = await listReactions(store.main, session, now - overheardLimits.ageMs);
    const message = noteReactions(reactions);
    const [first, ...others] = reactions.map(({ taint }) => taint);
    if (message === undefined || first === undefined) return [];
    const taint = joinTaint(first, ...others);
    return [{ message, taint, written: (tx) => dropReactions(tx, session, reactedUpTo) }];
  }

  return async (turn: BeginningTurn): Promise<readonly TurnNote[]> => {
    const now = clock.now();
    const overheard = turn.chatKind === "group" ? await tellOverheard(turn, now) : [];
    return [...overheard, ...(await tellReactions(turn, now))];
  };
}
