import { erase } from "../features/erase/erase.ts";
import { memory } from "../features/memory/memory.ts";
import { reminders } from "../features/reminders/reminders.ts";
import type { MadeFeatures } from "../kernel/feature/make-features.ts";

/** The owner's actions on people, memories and reminders, for the web console. */
export const findOwnerParts = (made: Pick<MadeFeatures, "of">) => ({
  memories: made.of(memory).owner,
  reminders: made.of(reminders).owner,
  erasePerson: made.of(erase).eraseAsOperator,
});

export type OwnerParts = ReturnType<typeof findOwnerParts>;
