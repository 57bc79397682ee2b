import { sql, type Kysely } from "kysely";
import type { Language } from "../../../core/conversation.ts";
import { compileOnce } from "../../../store/statements/compile-once.ts";
import type { Database } from "../../../store/schema/database.ts";

/** How well a persona and an account know each other. */
export interface Acquaintance {
  /** Messages by language. */
  readonly languages: Readonly<Partial<Record<Language, number>>>;
  readonly messages: number;
  /** Days on which they spoke. */
  readonly days: number;
}

const countOne = compileOnce(
  (
    db,
    said: Readonly<Record<"person" | "persona" | "name", string>> &
      Readonly<Record<"zh" | "en" | "ja" | "day" | "now", number>>,
  ) =>
    db
      .insertInto("acquaintances")
      .values({
        person: said.person,
        persona: said.persona,
        name: said.name,
        zh: said.zh,
        en: said.en,
        ja: said.ja,
        messages: 1,
        days: 1,
        last_day: said.day,
        first_at: said.now,
        last_at: said.now,
      })
      .onConflict((conflict) =>
        conflict.columns(["person", "persona"]).doUpdateSet({
          name: sql`excluded.name`,
          zh: sql`acquaintances.zh + excluded.zh`,
          en: sql`acquaintances.en + excluded.en`,
          ja: sql`acquaintances.ja + excluded.ja`,
          messages: sql`acquaintances.messages + 1`,
          days: sql`acquaintances.days + case when excluded.last_day > acquaintances.last_day then 1 else 0 end`,
          last_day: sql`case when excluded.last_day > acquaintances.last_day then excluded.last_day else acquaintances.last_day end`,
          last_at: sql`excluded.last_at`,
        }),
      ),
);

const dayMs = 24 * 3_600_000;

/** Counts one more message, in one statement; the table gains no row per message. */
export async function countMessage(
  db: Kysely<Database>,
  said: {
    readonly person: string;
    readonly name: string;
    readonly persona: string;
    readonly language: Language;
    readonly now: number;
  },
): Promise<void> {
  const { language, name, now, person, persona } = said;
  const [zh, en, ja] = (["zh", "en", "ja"] as const).map((one) => (one === language ? 1 : 0)) as [
    number,
    number,
    number,
  ];
  await countOne(db, { person, persona, name, zh, en, ja, day: Math.floor(now / dayMs), now });
}

/** Finds the acquaintances of these accounts, which belong to one human. */
export async function findAcquaintances(
  db: Kysely<Database>,
  accounts: readonly string[],
  persona: string,
): Promise<readonly Acquaintance[]> {
  const rows = await db
    .selectFrom("acquaintances")
    .select(["zh", "en", "ja", "messages", "days"])
    .where("person", "in", accounts)
    .where("persona", "=", persona)
    .execute();
  return rows.map(({ days, en, ja, messages, zh }) => ({ languages: { zh, en, ja }, messages, days }));
}
