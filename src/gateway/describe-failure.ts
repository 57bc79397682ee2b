import type { Kysely } from "kysely";
import type { Language } from "../core/conversation.ts";
import { wordsFor } from "../core/words/words.ts";
import { listLedger } from "../store/queries/ledger.ts";
import type { Database } from "../store/schema.ts";

/** What the person is told when a turn fails: what happened, never a stack; calls that may have run are named. */
export async function describeFailure(
  db: Kysely<Database>,
  turn: string,
  code: string,
  language: Language,
): Promise<string> {
  const words = wordsFor(language).turn;
  if (code === "MODEL_UNAVAILABLE") return words.modelsDown;
  const unsure = (await listLedger(db, turn)).filter((row) => row.state === "started");
  if (unsure.length > 0) return words.unknownOutcome(unsure.map((row) => row.tool).join("、"));
  return words.failed(turn);
}
