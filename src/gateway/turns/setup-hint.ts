import type { Kysely } from "kysely";
import type { TurnInput } from "../../agents/types.ts";
import type { Clock } from "../../core/clock.ts";
import { wordsFor } from "../../core/words/words.ts";
import { appendAudit, isAudited } from "../../store/queries/audit.ts";
import type { Database } from "../../store/schema/database.ts";

/** What to put below a reply; "" = nothing. In the transaction that sends it. */
export type AddSetupHint = (tx: Kysely<Database>, input: TurnInput) => Promise<string>;

const action = "setup.hinted";

/**
 * That no real model is connected is told to each owner in private and once, over restarts too: members and strangers can do
 * nothing about it, and a group is no place for it.
 */
export function createSetupHint(parts: { readonly isOffline: () => boolean; readonly clock: Clock }): AddSetupHint {
  const told = new Set<string>();
  return async (tx, { agent, chatKind, language, person, session, turn }) => {
    const isFor = person.role === "owner" && chatKind === "private" && agent === undefined;
    if (!parts.isOffline() || !isFor || told.has(person.id)) return "";
    const known = await isAudited(tx, person.id, action);
    if (!known) await appendAudit(tx, { actor: person.id, action, session, turn, now: parts.clock.now() });
    told.add(person.id);
    return known ? "" : `\n\n${wordsFor(language).outage.offlineModel}`;
  };
}
