import type { Kysely } from "kysely";
import { compileOnce } from "../../../store/statements/compile-once.ts";
import type { Database } from "../../../store/schema/database.ts";

/** A session's choices about skills; no row = the rules decide. */
export type SkillChoice = "on" | "off";

export async function listSkillChoices(
  db: Kysely<Database>,
  session: string,
): Promise<ReadonlyMap<string, SkillChoice>> {
  const rows = await selectChoices(db, { session });
  return new Map(rows.map(({ skill, choice }) => [skill, choice as SkillChoice]));
}

const selectChoices = compileOnce((db, { session }: { readonly session: string }) =>
  db.selectFrom("skill_choices").select(["skill", "choice"]).where("session", "=", session),
);

/** undefined takes the word back. */
export async function saveSkillChoice(
  db: Kysely<Database>,
  {
    session,
    skill,
    choice,
  }: { readonly session: string; readonly skill: string; readonly choice: SkillChoice | undefined },
): Promise<void> {
  if (choice === undefined) {
    await db.deleteFrom("skill_choices").where("session", "=", session).where("skill", "=", skill).execute();
    return;
  }
  await db
    .insertInto("skill_choices")
    .values({ session, skill, choice })
    .onConflict((conflict) => conflict.columns(["session", "skill"]).doUpdateSet({ choice }))
    .execute();
}

/** A skill that the topic is about; `quiet` = turns since it was last called for. */
export interface TopicSkill {
  readonly skill: string;
  readonly quiet: number;
}

/**
 * The skills of a session's topic as they were before and after a turn. A turn that begins again after a crash goes out from
 * `before`, so no turn counts twice.
 */
export interface SkillTopic {
  readonly turn: string;
  /** Of the message the turn began with; a topic from before a new conversation is over. */
  readonly position: number;
  readonly before: readonly TopicSkill[];
  readonly after: readonly TopicSkill[];
}

const selectTopic = compileOnce((db, { session }: { readonly session: string }) =>
  db.selectFrom("skill_topics").selectAll().where("session", "=", session),
);

export async function findSkillTopic(db: Kysely<Database>, session: string): Promise<SkillTopic | undefined> {
  const [row] = await selectTopic(db, { session });
  if (!row) return undefined;
  const read = (text: string) => JSON.parse(text) as readonly TopicSkill[];
  return { turn: row.turn, position: row.position, before: read(row.before), after: read(row.after) };
}

export async function saveSkillTopic(db: Kysely<Database>, session: string, topic: SkillTopic): Promise<void> {
  const row = {
    turn: topic.turn,
    position: topic.position,
    before: JSON.stringify(topic.before),
    after: JSON.stringify(topic.after),
  };
  await db
    .insertInto("skill_topics")
    .values({ session, ...row })
    .onConflict((conflict) => conflict.column("session").doUpdateSet(row))
    .execute();
}
