import type { Kysely } from "kysely";
import type { TurnInput } from "../agent/types.ts";
import type { Clock } from "../../core/clock.ts";
import { wordsFor } from "../../core/words/words.ts";
import type { Budget } from "../../models/budget.ts";
import { appendAudit, isAudited } from "../../store/queries/audit.ts";
import type { Database } from "../../store/schema/database.ts";
import { describeClose } from "./describe-limits.ts";

type Close = Awaited<ReturnType<Budget["listClose"]>>;

/** Lines below a reply about limits that are nearly reached: once a day for each person and chat, across restarts. */
export function createLimitNotes(parts: { readonly budget: Pick<Budget, "listClose">; readonly clock: Clock }) {
  const notified = new Map<string, string>();
  return {
    listClose: ({ person, session }: TurnInput): Promise<Close> =>
      parts.budget.listClose({ id: person.id, owner: person.role === "owner", chat: session }),

    /** Runs in the transaction that sends the reply. Returns "" when there is no line. */
    async noteClose(
      tx: Kysely<Database>,
      { language, person, session, turn }: TurnInput,
      { close, day, zone }: Close,
    ): Promise<string> {
      const lines: string[] = [];
      for (const limit of close) {
        const actor = limit.scope === "chat" ? session : person.id;
        if (notified.get(actor) === day) continue;
        const action = `limit.told ${day}`;
        if (await isAudited(tx, actor, action)) {
          // Remembered only once it is stored: this transaction may be rolled back.
          notified.set(actor, day);
          continue;
        }
        await appendAudit(tx, { actor, action, session, turn, now: parts.clock.now() });
        lines.push(`\n\n${describeClose(limit, zone, wordsFor(language))}`);
      }
      return lines.join("");
    },
  };
}
