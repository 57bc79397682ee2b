import type { Kysely } from "kysely";
import type { Language } from "../../core/conversation.ts";
import { wordsFor } from "../../core/words/words.ts";
import { listLedger } from "../../store/queries/ledger.ts";
import type { Database } from "../../store/schema.ts";
import type { PersonaWrapper } from "../../tools/persona-wrapper.ts";

/** What the person is told when a turn fails: what happened, never a stack; calls that may have run are named. */
export async function describeFailure(
  db: Kysely<Database>,
  turn: string,
  code: string,
  spot: { readonly chat: string; readonly language: Language },
  voice: PersonaWrapper,
): Promise<string> {
  const words = wordsFor(spot.language).turn;
  const unsure = (await listLedger(db, turn)).filter((row) => row.state === "started").map((row) => row.tool);
  const lines = unsure.length === 0 ? [] : [voice.outcome(spot, "unknown"), words.unknownOutcome(unsure.join(", "))];
  const { limits } = wordsFor(spot.language).oversight;
  if (code === "QUOTA_SPENT") lines.push(limits.personSpent);
  if (code === "BUDGET_SPENT") lines.push(limits.allSpent);
  if (code === "MODEL_UNAVAILABLE") lines.push(voice.outcome(spot, "modelDown"), words.modelsDown);
  return lines.length === 0 ? voice.error(spot, words.failed(turn)) : lines.join("\n");
}
