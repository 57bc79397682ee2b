import { sql, type Kysely } from "kysely";
import type { Database } from "../schema/database.ts";
import { findWholeSession } from "./sessions.ts";

/**
 * A query over `line`, the current line of a session as the parts that its branches have in it, newest first, as far back
 * as `from`: positions after `fork` up to and including `high`. Every branch forks later than its parent does, so there
 * are never more of them than positions in the stretch.
 */
export function withLine(
  db: Kysely<Database>,
  session: string,
  stretch: { readonly from: number; readonly upTo: number },
) {
  const { from, upTo } = stretch;
  return db.withRecursive("line", (cte) =>
    cte
      .selectFrom("sessions")
      .leftJoin("branches", (join) =>
        join.onRef("branches.session", "=", "sessions.id").onRef("branches.branch", "=", "sessions.branch"),
      )
      .select((expression) => [
        "sessions.branch as branch",
        "branches.parent as parent",
        expression.fn.coalesce("branches.fork_position", sql<number>`cast(0 as bigint)`).as("fork"),
        sql<number>`cast(${upTo} as bigint)`.as("high"),
      ])
      .where("sessions.id", "=", session)
      .unionAll(
        cte
          .selectFrom("line")
          .innerJoin("branches", (join) =>
            join.on("branches.session", "=", session).onRef("branches.branch", "=", "line.parent"),
          )
          .select([
            "branches.branch as branch",
            "branches.parent as parent",
            "branches.fork_position as fork",
            sql<number>`case when line.fork < line.high then line.fork else line.high end`.as("high"),
          ])
          .where("line.fork", ">", from),
      ),
  );
}

/**
 * The messages of the stretch. SQLite takes the tables of a cross join in this order; Postgres takes the stretch's own
 * bounds to the index when the fork is no more than a filter. Any other way one of the two reads the whole conversation.
 */
export function selectMessages(db: Kysely<Database>, session: string, stretch: Parameters<typeof withLine>[2]) {
  return withLine(db, session, stretch)
    .selectFrom("line")
    .crossJoin("messages")
    .where("messages.session", "=", session)
    .whereRef("messages.branch", "=", "line.branch")
    .where("messages.position", ">", stretch.from)
    .where("messages.position", "<=", stretch.upTo)
    .where(sql<boolean>`+messages.position > line.fork`)
    .where(sql<boolean>`+messages.position <= line.high`);
}

/** Keeps those of the questions that were asked on the current line. */
export async function keepQuestionsOfLine<Asked extends { readonly id: string }>(
  db: Kysely<Database>,
  session: string,
  questions: readonly Asked[],
): Promise<readonly Asked[]> {
  if (questions.length === 0) return [];
  const row = await findWholeSession(db, session);
  const segments = await withLine(db, session, { from: 0, upTo: row?.last_position ?? 0 })
    .selectFrom("line")
    .select(["branch", "high"])
    .execute();
  const asked = await db
    .selectFrom("questions")
    .select(["id", "branch", "position"])
    .where(
      "id",
      "in",
      questions.map(({ id }) => id),
    )
    .execute();
  const isOnLine = ({ branch, position }: (typeof asked)[number]) =>
    branch === null || segments.some((segment) => segment.branch === branch && (position ?? 0) <= segment.high);
  const kept = new Set(asked.filter(isOnLine).map(({ id }) => id));
  return questions.filter(({ id }) => kept.has(id));
}
