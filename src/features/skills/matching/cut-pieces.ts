import { normalizeUtterance } from "../../../core/learning/normalize-utterance.ts";
import { listFeatures } from "../../../core/learning/text-features.ts";

/** A message as it is scored: whole, and each clause, since a request may be a small part of it. */
export interface Piece {
  readonly text: string;
  readonly features: Uint32Array;
}

/** The request is at the beginning or the end of a pasted page. */
const kept = { first: 2000, last: 1000 } as const;
const maxClauses = 12;

/** The whole message first. Work and memory are bounded for a text of any length. */
export function cutPieces(utterance: string): readonly Piece[] {
  // Normalising may make a text longer.
  const text = shorten(normalizeUtterance(shorten(utterance)));
  const clauses = text
    .split(between)
    .map((clause) => clause.trim())
    .filter((clause) => clause.length > 1);
  const ends =
    clauses.length > maxClauses
      ? [...clauses.slice(0, maxClauses / 2), ...clauses.slice(-maxClauses / 2)]
      : clauses.length > 1
        ? clauses
        : [];
  return [text, ...ends].map((piece) => ({ text: piece, features: listFeatures(piece) }));
}

function shorten(text: string): string {
  return text.length <= kept.first + kept.last ? text : `${text.slice(0, kept.first)}\n${text.slice(-kept.last)}`;
}

/** Marks and words that end a clause. */
const between = /[,。!?;~…\n]+|(?<=\p{Script=Han}) (?=\p{Script=Han})|(?=然后|接着|顺便)|\b(?:and|then)\b|\.(?= |$)/u;
