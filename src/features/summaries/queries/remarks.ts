import { createHash } from "node:crypto";
import { sql, type Kysely, type Selectable } from "kysely";
import type { Speaker, Taint } from "../../../core/conversation.ts";
import type { Database } from "../../../store/schema/database.ts";
import { withLine } from "../../../store/queries/current-line.ts";

/** One sentence of a message. `speaker` = the person who said it, or whose turn it was. */
export interface Remark {
  readonly position: number;
  readonly speaker: Speaker;
  readonly role: "user" | "assistant" | "note";
  readonly text: string;
  readonly taint: Taint;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A remark and how well it fits: the rarer the words it shares, the better. */
export interface FoundRemark extends Remark {
  readonly score: number;
}

const rowsAtOnce = 400;
/** For a word that nearly every message holds, only the newest remarks are looked at. */
const maxOfTerm = 200;
const maxCandidates = 60;

/** The words of one session under numbers of their own: an index of numbers is a third as large as one of texts. */
function toNumber(session: string, term: string): number {
  return createHash("sha256").update(`${session}\0${term}`).digest().readUIntBE(0, 6);
}

/** With the words that each is found by. In the caller's transaction. */
export async function insertRemarks(
  db: Kysely<Database>,
  place: { readonly session: string; readonly branch: string },
  remarks: readonly (Remark & { readonly terms: readonly string[] })[],
): Promise<void> {
  const terms: { term: number; remark: number }[] = [];
  for (const { at, position, role, speaker, taint, terms: words, text } of remarks) {
    const { id } = await db
      .insertInto("remarks")
      .values({ ...place, position, role, text, taint, speaker: JSON.stringify(speaker), said_at: at })
      .returning("id")
      .executeTakeFirstOrThrow();
    terms.push(...[...new Set(words)].map((word) => ({ term: toNumber(place.session, word), remark: id })));
  }
  for (let from = 0; from < terms.length; from += rowsAtOnce)
    await db
      .insertInto("remark_terms")
      .values(terms.slice(from, from + rowsAtOnce))
      .onConflict((conflict) => conflict.columns(["term", "remark"]).doNothing())
      .execute();
}

/** The last message of a stretch of the current line that remarks are written of; its beginning = none. */
export async function findRemarkedUpTo(
  db: Kysely<Database>,
  session: string,
  { from, upTo }: { readonly from: number; readonly upTo: number },
): Promise<number> {
  const row = await withLine(db, session, { from, upTo })
    .selectFrom("line")
    .crossJoin("remarks")
    .where("remarks.session", "=", session)
    .whereRef("remarks.branch", "=", "line.branch")
    .where("remarks.position", ">", from)
    .where("remarks.position", "<=", upTo)
    .where(sql<boolean>`+remarks.position <= line.high`)
    .select("remarks.position")
    .orderBy("remarks.position", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.position ?? from;
}

/** Sentences of the current line in a stretch that share words with `terms`, the best first. */
export async function findRemarks(
  db: Kysely<Database>,
  session: string,
  terms: readonly string[],
  stretch: { readonly from: number; readonly upTo: number },
): Promise<readonly FoundRemark[]> {
  const [first, ...others] = terms.map((term) =>
    db
      .selectFrom(
        db
          .selectFrom("remark_terms")
          .select(["term", "remark"])
          .where("term", "=", toNumber(session, term))
          .orderBy("remark", "desc")
          .limit(maxOfTerm)
          .as("found"),
      )
      .selectAll(),
  );
  if (first === undefined) return [];
  const hits = await others.reduce((all, one) => all.unionAll(one), first).execute();
  const letters = new Set(terms.filter((term) => term.length === 1).map((term) => toNumber(session, term)));
  const scores = rank(hits, letters);
  const best = [...scores].toSorted(([, a], [, b]) => b - a).slice(0, maxCandidates);
  if (best.length === 0) return [];
  const rows = await withLine(db, session, stretch)
    .selectFrom("line")
    .crossJoin("remarks")
    .selectAll("remarks")
    .select(["line.high"])
    .where(
      "remarks.id",
      "in",
      best.map(([id]) => id),
    )
    .where("remarks.session", "=", session)
    .whereRef("remarks.branch", "=", "line.branch")
    .where("remarks.position", ">", stretch.from)
    .where("remarks.position", "<=", stretch.upTo)
    .execute();
  const found = rows.flatMap((row): FoundRemark[] => {
    const score = scores.get(row.id);
    if (score === undefined || row.position > row.high) return [];
    return [{ ...toRemark(row), score }];
  });
  return found.toSorted((a, b) => b.score - a.score || b.position - a.position);
}

function toRemark(row: Selectable<Database["remarks"]>): Remark {
  return {
    position: row.position,
    speaker: JSON.parse(row.speaker) as Speaker,
    role: row.role as Remark["role"],
    text: row.text,
    taint: row.taint as Taint,
    at: row.said_at,
  };
}

/** A single letter counts half as much as a word, and a word that is in everything counts nothing. */
function rank(hits: readonly { readonly term: number; readonly remark: number }[], letters: ReadonlySet<number>) {
  const frequency = new Map<number, number>();
  for (const { term } of hits) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  const scores = new Map<number, number>();
  for (const { remark, term } of hits) {
    const weight = Math.log((1 + (2 * maxOfTerm) / (frequency.get(term) ?? 1)) / 3) * (letters.has(term) ? 0.5 : 1);
    scores.set(remark, (scores.get(remark) ?? 0) + weight);
  }
  return scores;
}
