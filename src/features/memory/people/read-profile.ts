import type { Kysely } from "kysely";
import type { Language } from "../../../core/conversation.ts";
import { findAcquaintances, type Acquaintance } from "../queries/acquaintances.ts";
import { findInSlots, type Memory } from "../queries/memories.ts";
import { findPersonSettings } from "../../../store/queries/person-settings.ts";
import type { Database } from "../../../store/schema/database.ts";
import type { MemoryScope } from "../scope.ts";
import { dropShadowed } from "./drop-shadowed.ts";

type Relation = "stranger" | "acquaintance" | "familiar" | "friend" | "close";

/** The part that is always known of a person, and always short. */
export interface Profile {
  readonly name: string;
  /** The languages they write in, most used first. */
  readonly languages: readonly Language[];
  /** IANA; null = none was named. */
  readonly zone: string | null;
  readonly occupation: string | null;
  readonly relation: Relation;
  /** The memories that the name and the occupation are from. */
  readonly from: readonly Memory[];
}

/** Both must be reached: many messages of one evening make no friend. */
const steps: readonly { readonly relation: Relation; readonly days: number; readonly messages: number }[] = [
  { relation: "close", days: 60, messages: 1_000 },
  { relation: "friend", days: 20, messages: 250 },
  { relation: "familiar", days: 5, messages: 50 },
  { relation: "acquaintance", days: 2, messages: 5 },
];

const maxWordLength = 60;
/** Fewer messages in a language than this share of all are a quotation. */
const minShare = 0.05;

/** The slots that a profile is made of. */
export const profileSlots = ["nickname", "name", "occupation"] as const;

/** The profile of the speaker, from what this scope may read. */
export async function readProfile(db: Kysely<Database>, scope: MemoryScope): Promise<Profile> {
  const known = await findAcquaintances(db, scope.accounts, scope.persona);
  const { zone } = await findPersonSettings(db, scope.accounts);
  const from = await dropShadowed(db, scope, await findInSlots(db, scope, profileSlots, scope.accounts));
  return makeProfile(scope, { known, zone, from });
}

/** Makes it from rows that were read already: the person's own, none of them shadowed. */
export function makeProfile(
  scope: MemoryScope,
  {
    from: all,
    known,
    zone,
  }: { readonly known: readonly Acquaintance[]; readonly zone: string | null; readonly from: readonly Memory[] },
): Profile {
  // Words of a page or of another person do not determine this person's name.
  const from = all.filter(({ taint }) => taint !== "untrusted");
  const find = (slot: string) => from.find((memory) => memory.slot === slot);
  const occupation = find("occupation");
  return {
    name: cut(find("nickname")?.value ?? find("name")?.value ?? scope.name),
    languages: listLanguages(known),
    zone,
    occupation: occupation === undefined ? null : cut(occupation.value ?? occupation.content),
    relation: findRelation(known),
    from,
  };
}

/**
 * Derived from days and messages only, never from what people say about it. Days of two accounts may be the same ones.
 */
function findRelation(known: readonly Pick<Acquaintance, "days" | "messages">[]): Relation {
  const days = Math.max(0, ...known.map((one) => one.days));
  const messages = known.reduce((sum, one) => sum + one.messages, 0);
  return steps.find((step) => days >= step.days && messages >= step.messages)?.relation ?? "stranger";
}

function listLanguages(known: readonly Acquaintance[]): readonly Language[] {
  const counts = new Map<Language, number>();
  for (const { languages } of known)
    for (const language of ["zh", "en", "ja"] as const)
      counts.set(language, (counts.get(language) ?? 0) + (languages[language] ?? 0));
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return [...counts]
    .filter(([, count]) => count > 0 && count >= all * minShare)
    .toSorted(([, a], [, b]) => b - a)
    .map(([language]) => language);
}

const cut = (text: string): string =>
  text.length > maxWordLength ? `${text.slice(0, maxWordLength - 1).toWellFormed()}…` : text;
