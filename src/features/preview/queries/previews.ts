import type { Kysely } from "kysely";
import type { Database } from "../../../store/schema/database.ts";
import { compileOnce } from "../../../store/statements/compile-once.ts";
import { rememberRows } from "../../../store/statements/remember-rows.ts";

/** Previews of calls that wait for approval. No execution reads this table, and no preview consumes an approval. */

export interface PreviewStart {
  /** The shared id of all calls that are tried out together. */
  readonly preview: string;
  readonly call: string;
  readonly question: string;
  readonly turn: string;
  readonly tool: string;
  readonly hash: string;
  /** Person id of the one who asked for it. */
  readonly actor: string;
  /** The revision of the workspace whose copy it runs on. */
  readonly revision: string;
  readonly now: number;
}

export async function startPreviewRow(db: Kysely<Database>, start: PreviewStart): Promise<void> {
  const { now, ...row } = start;
  await db
    .insertInto("previews")
    .values({ ...row, state: "started", outcome: null, started_at: now, finished_at: null })
    .execute();
}

export async function finishPreviewRow(
  db: Kysely<Database>,
  row: { readonly preview: string; readonly call: string; readonly outcome: string; readonly now: number },
): Promise<void> {
  await db
    .updateTable("previews")
    .set({ state: "done", outcome: row.outcome, finished_at: row.now })
    .where("preview", "=", row.preview)
    .where("call", "=", row.call)
    .execute();
}

const selectAny = rememberRows((db) => db.selectFrom("previews").select("question").limit(1));

const selectOfQuestion = compileOnce((db, { question }: { readonly question: string }) =>
  db
    .selectFrom("previews")
    .select(["preview", "revision", "state"])
    .where("question", "=", question)
    .orderBy("seq", "desc"),
);

/** The last preview of a question: the workspace it ran on, and whether it finished. */
export async function findLastPreview(
  db: Kysely<Database>,
  question: string,
): Promise<{ readonly revision: string; readonly finished: boolean } | undefined> {
  if ((await selectAny(db, {})).length === 0) return undefined;
  const rows = await selectOfQuestion(db, { question });
  const [last] = rows;
  if (!last) return undefined;
  const together = rows.filter((row) => row.preview === last.preview);
  return { revision: last.revision, finished: together.every((row) => row.state === "done") };
}
