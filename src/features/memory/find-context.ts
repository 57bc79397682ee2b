import type { Clock } from "../../core/clock.ts";
import type { FindContext } from "../../kernel/agent/types.ts";
import type { Store } from "../../store/open-store.ts";
import type { Meaning } from "./embedding/meaning.ts";
import type { MemoryOptions } from "./memory-options.ts";
import { describeForContext, showPreferences } from "./preferences/show-preferences.ts";
import { listPreferences } from "./queries/preferences.ts";
import { createRecall } from "./recall.ts";
import { createRecollect } from "./recollect.ts";

/** Finds memory's part of the prompt of a turn. In a group the habits are those of the person who speaks. */
export function createFindContext(parts: {
  readonly store: Pick<Store, "main">;
  /** If undefined, words are compared instead of meanings. */
  readonly meaning: Meaning | undefined;
  readonly personaOf: (session: string) => string;
  readonly options: () => Pick<MemoryOptions, "context">;
  readonly clock: Clock;
}): FindContext {
  const { clock, meaning, options, personaOf } = parts;
  const db = parts.store.main;
  const budget = () => options().context.tokens;
  const recollect = createRecollect({ db, meaning, personaOf, budget, now: () => clock.now() });
  const recall = createRecall(db, meaning);
  return async (input, { taint, window }) => ({
    remembered: await recollect(input, taint),
    recalled: await recall(input, window, taint),
    preferences: describeForContext(showPreferences(await listPreferences(db, input.person.id), input.language)),
  });
}
