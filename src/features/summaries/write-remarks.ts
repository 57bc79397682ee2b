import type { Kysely } from "kysely";
import { findWords } from "../../store/search/find-words.ts";
import { findRemarkedUpTo, insertRemarks, type Remark } from "./queries/remarks.ts";
import { findSession, lockSession, type SessionRow } from "../../store/queries/sessions.ts";
import { readStretch, type PlacedMessage } from "../../store/queries/transcript.ts";
import type { Database } from "../../store/schema/database.ts";
import { isBinding } from "./is-binding.ts";
import { listSpeakers } from "../../kernel/agent/context/label-piece.ts";
import { splitSentences } from "../../kernel/agent/context/split-sentences.ts";

/** Messages that are written at once, and those read before them to find whose turn it was. */
const atOnce = 100;
const before = 20;

/**
 * Stores the searchable words of a stretch of a line, without a model, unless they are stored already. Returns whether
 * all are: at most `batches` are written, and none once the conversation has moved to another branch.
 */
export async function writeRemarks(
  db: Kysely<Database>,
  at: SessionRow,
  stretch: { readonly from: number; readonly upTo: number },
  batches = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  let from = stretch.from;
  for (let batch = 0; from < stretch.upTo; batch += 1) {
    if (batch >= batches) return false;
    const reached = await db.transaction().execute(async (tx) => {
      if (!(await holdLine(tx, at))) return undefined;
      const start = Math.max(from, await findRemarkedUpTo(tx, at.id, stretch));
      const upTo = Math.min(stretch.upTo, start + atOnce);
      const piece = await readStretch(tx, at.id, { from: Math.max(stretch.from, start - before), upTo });
      const remarks = listRemarks(piece).filter(({ position }) => position > start);
      await insertRemarks(tx, { session: at.id, branch: at.branch }, remarks);
      return upTo;
    });
    if (reached === undefined) return false;
    from = reached;
  }
  return true;
}

/** Locks the session against other writers; false = it is on another branch, or /new came between. */
export async function holdLine(db: Kysely<Database>, at: SessionRow): Promise<boolean> {
  await lockSession(db, at.id);
  const now = await findSession(db, at.id);
  return now?.branch === at.branch && now.start_position === at.start_position;
}

const minLetters = 4;
/** Words of one sentence. */
const maxOfRemark = 90;
/** Per message: a sentence is up to ninety rows of the index. */
const maxOfMessage = 48;

/** The sentences that can be found later: people's, and hers. Of a very long message those that bind, and its beginning. */
function listRemarks(piece: readonly PlacedMessage[]): readonly (Remark & { readonly terms: readonly string[] })[] {
  const speakers = listSpeakers(piece);
  return piece.flatMap(({ at, message, position, taint }) => {
    if (message.role === "tool") return [];
    const speaker = speakers.get(position) ?? { id: "", name: "", taint };
    return chooseSentences(message.text).flatMap((text) => {
      const terms = findWords(text, maxOfRemark);
      return terms.length === 0 ? [] : [{ at, position, role: message.role, speaker, taint, terms, text }];
    });
  });
}

/** In their order, each once. */
export function chooseSentences(text: string): readonly string[] {
  const sentences = [...new Set(splitSentences(text).filter(({ length }) => length >= minLetters))];
  if (sentences.length <= maxOfMessage) return sentences;
  const others = sentences.filter((sentence) => !isBinding(sentence));
  const chosen = new Set([...sentences.filter(isBinding), ...others].slice(0, maxOfMessage));
  return sentences.filter((sentence) => chosen.has(sentence));
}
