import { sql, type Kysely } from "kysely";
import type { Language } from "../../core/conversation.ts";
import type { Database } from "../schema/database.ts";

/** How well a persona and an account know each other. */
export interface Acquaintance {
  readonly person: string;
  readonly name: string;
  /** Messages by language. */
  readonly languages: Readonly<Partial<Record<Language, number>>>;
  readonly messages: number;
  /** Days on which they spoke. */
  readonly days: number;
  readonly firstAt: number;
  readonly lastAt: number;
}

/** One more message. One statement; a row never grows. */
export async function countMessage(
  db: Kysely<Database>,
  said: {
    readonly person: string;
    readonly name: string;
    readonly persona: string;
    readonly language: Language;
    /** Days since 1970, in their zone. */
    readonly day: number;
    readonly now: number;
  },
): Promise<void> {
  const { day, language, name, now, person, persona } = said;
  await db
    .insertInto("acquaintances")
    .values({
      person,
      persona,
      name,
      zh: language === "zh" ? 1 : 0,
      en: language === "en" ? 1 : 0,
      ja: language === "ja" ? 1 : 0,
      messages: 1,
      days: 1,
      last_day: day,
      first_at: now,
      last_at: now,
    })
    .onConflict((conflict) =>
      conflict.columns(["person", "persona"]).doUpdateSet({
        name,
        messages: sql`acquaintances.messages + 1`,
        days: sql`acquaintances.days + case when excluded.last_day > acquaintances.last_day then 1 else 0 end`,
        last_day: sql`case when excluded.last_day > acquaintances.last_day then excluded.last_day else acquaintances.last_day end`,
        last_at: now,
        [language]: sql`acquaintances.${sql.ref(language)} + 1`,
      }),
    )
    .execute();
}

/** Of these accounts of one human. */
export async function findAcquaintances(
  db: Kysely<Database>,
  accounts: readonly string[],
  persona: string,
): Promise<readonly Acquaintance[]> {
  const rows = await db
    .selectFrom("acquaintances")
    .selectAll()
    .where("person", "in", accounts)
    .where("persona", "=", persona)
    .orderBy("last_at", "desc")
    .execute();
  return rows.map(({ days, en, first_at: firstAt, ja, last_at: lastAt, messages, name, person, zh }) => ({
    person,
    name,
    languages: { zh, en, ja },
    messages,
    days,
    firstAt,
    lastAt,
  }));
}
