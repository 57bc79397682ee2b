import type { Kysely } from "kysely";
import { compileOnce } from "../statements/compile-once.ts";
import type { Database } from "../schema/database.ts";

const selectAdmissions = compileOnce((db, { session }: { readonly session: string }) =>
  db.selectFrom("skill_admissions").select(["skill", "digest"]).where("session", "=", session),
);

/** The installed skills that were let into a chat: the digest that the yes was given to, by id. */
export async function listAdmissions(db: Kysely<Database>, session: string): Promise<Readonly<Record<string, string>>> {
  const rows = await selectAdmissions(db, { session });
  return Object.fromEntries(rows.map(({ skill, digest }) => [skill, digest]));
}

/** An admission of another version replaces the one before. */
export async function admitSkill(
  db: Kysely<Database>,
  admission: {
    readonly session: string;
    readonly skill: string;
    readonly digest: string;
    readonly person: string;
    readonly now: number;
  },
): Promise<void> {
  const { session, skill, digest, person, now } = admission;
  await db
    .insertInto("skill_admissions")
    .values({ session, skill, digest, person, at: now })
    .onConflict((conflict) => conflict.columns(["session", "skill"]).doUpdateSet({ digest, person, at: now }))
    .execute();
}
