import type { Kysely } from "kysely";
import type { InboundMessage } from "../../../channels/types.ts";
import type { Person } from "../../../kernel/gate/types.ts";
import type { Database } from "../../../store/schema/database.ts";
import { deletePreferences, listPreferences, savePreference } from "../queries/preferences.ts";
import { listContradicted, readWishes } from "./read-wishes.ts";
import { preferenceLimits } from "./show-preferences.ts";

/** Writes down the lasting wishes of a message: only words that a person who is let in wrote themselves. */
export async function noteWishes(
  db: Kysely<Database>,
  {
    forwarded,
    ordered,
    sender,
    text,
    viaBot,
  }: Pick<InboundMessage, "forwarded" | "ordered" | "sender" | "text" | "viaBot">,
  person: Person,
  now: number,
): Promise<void> {
  if (person.role === "guest" || sender.kind === "bot") return;
  if (forwarded || viaBot || ordered) return;
  const wishes = readWishes(text);
  if (wishes.length === 0) return;
  for (const { key, text: words } of wishes) {
    await deletePreferences(db, person.id, listContradicted(key, await listPreferences(db, person.id)));
    await savePreference(db, { person: person.id, key, origin: "said", text: words, now });
  }
  const words = (await listPreferences(db, person.id)).filter(({ origin }) => origin !== "learned");
  // Notes that were added by hand stay; of the spoken ones the oldest goes.
  const over = words.length - preferenceLimits.notes;
  const oldest = words.filter(({ origin }) => origin === "said").toSorted((a, b) => a.updatedAt - b.updatedAt);
  await deletePreferences(
    db,
    person.id,
    oldest.slice(0, Math.max(0, over)).map(({ key }) => key),
  );
}
