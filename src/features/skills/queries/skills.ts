import { type Kysely, sql } from "kysely";
import { rememberRows } from "../../../store/statements/remember-rows.ts";
import type { Database } from "../../../store/schema/database.ts";

/** A session's choices about skills; no row = the rules decide. */
export type SkillChoice = "on" | "off";

/** `choice` undefined deletes the choice. */
export async function saveSkillChoice(
  db: Kysely<Database>,
  wish: { readonly session: string; readonly skill: string; readonly choice: SkillChoice | undefined },
): Promise<void> {
  const { choice, session, skill } = wish;
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

/** The choices of every chat. */
export async function listSkillChoices(
  db: Kysely<Database>,
): Promise<readonly { readonly session: string; readonly skill: string; readonly choice: SkillChoice }[]> {
  const rows = await db.selectFrom("skill_choices").selectAll().orderBy("skill").orderBy("session").execute();
  return rows.map((row) => ({ ...row, choice: row.choice as SkillChoice }));
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
  /** Position of the message the turn began with; a topic from before a new conversation has ended. */
  readonly position: number;
  readonly before: readonly TopicSkill[];
  readonly after: readonly TopicSkill[];
}

/** The choices, admissions and topic of a session. */
interface SessionSkillRows {
  readonly choices: ReadonlyMap<string, SkillChoice>;
  /** The digests of the installed skills that were let in, by id. */
  readonly admitted: ReadonlyMap<string, string>;
  readonly topic: SkillTopic | undefined;
}

const selectRows = rememberRows((db, { session }: { readonly session: string }) =>
  db
    .selectFrom("skill_choices")
    .select([sql<string>`'choice'`.as("kind"), "skill as name", "choice as value", sql<string>`''`.as("after")])
    .select(sql<number>`cast(0 as bigint)`.as("position"))
    .where("session", "=", session)
    .unionAll((all) =>
      all
        .selectFrom("skill_admissions")
        .select([sql<string>`'admission'`.as("kind"), "skill as name", "digest as value", sql<string>`''`.as("after")])
        .select(sql<number>`cast(0 as bigint)`.as("position"))
        .where("session", "=", session),
    )
    .unionAll((all) =>
      all
        .selectFrom("skill_topics")
        .select([sql<string>`'topic'`.as("kind"), "turn as name", "before as value", "after", "position"])
        .where("session", "=", session),
    ),
);

/** All of it at once: every turn asks. */
export async function readSessionSkills(db: Kysely<Database>, session: string): Promise<SessionSkillRows> {
  const rows = await selectRows(db, { session });
  const pairs = (kind: string) =>
    rows.filter((row) => row.kind === kind).map(({ name, value }) => [name, value] as const);
  const topic = rows.find(({ kind }) => kind === "topic");
  return {
    choices: new Map(pairs("choice").map(([skill, choice]) => [skill, choice as SkillChoice])),
    admitted: new Map(pairs("admission")),
    topic: topic && toTopic({ ...topic, turn: topic.name, before: topic.value }),
  };
}

function toTopic(row: {
  readonly turn: string;
  readonly position: number;
  readonly before: string;
  readonly after: string;
}): SkillTopic {
  const read = (text: string) => JSON.parse(text) as readonly TopicSkill[];
  return { turn: row.turn, position: row.position, before: read(row.before), after: read(row.after) };
}

const selectTopic = rememberRows((db, { session }: { readonly session: string }) =>
  db.selectFrom("skill_topics").selectAll().where("session", "=", session),
);

export async function findSkillTopic(db: Kysely<Database>, session: string): Promise<SkillTopic | undefined> {
  const [row] = await selectTopic(db, { session });
  return row && toTopic(row);
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
