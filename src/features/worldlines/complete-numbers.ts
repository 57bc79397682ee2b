import type { Kernel } from "../../kernel/feature/define-feature.ts";
import { findWholeSession } from "../../store/queries/sessions.ts";
import { findBranchNumber, listOtherBranches, listPoints } from "./branches.ts";

const maxNumbers = 20;

/** Completions for the Tab key: `/worldline` takes the number of a branch, `/dmail` that of a point; more words are the person's own. */
export function createCompleteNumbers({ store }: Pick<Kernel, "store">) {
  return {
    async branches(id: string, words: readonly string[]): Promise<readonly string[]> {
      const session = words.length === 1 ? await findWholeSession(store.main, id) : undefined;
      if (!session) return [];
      const others = await listOtherBranches(store.main, session, maxNumbers);
      return [await findBranchNumber(store.main, session), ...others.map(({ number }) => number)].map(String);
    },
    async points(id: string, words: readonly string[]): Promise<readonly string[]> {
      const session = words.length === 1 ? await findWholeSession(store.main, id) : undefined;
      if (!session) return [];
      const points = await listPoints(store.main, session, session.points - maxNumbers, session.points - 1);
      return points.map(({ number }) => String(number));
    },
  };
}
