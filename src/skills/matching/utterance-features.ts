import { normalizeUtterance } from "./normalize-utterance.ts";

/** A message as it is scored: whole, and each clause, since a request may stand beside much else. */
export interface Piece {
  readonly text: string;
  readonly features: Uint32Array;
}

/** The wish stands at the beginning or the end of a pasted page. */
const kept = { first: 2000, last: 1000 } as const;
const mostClauses = 12;
const longestGram = 4;

/** The whole message first. Work and memory are bounded for a text of any length. */
export function cutPieces(utterance: string): readonly Piece[] {
  // Normalising may make a text longer.
  const text = shorten(normalizeUtterance(shorten(utterance)));
  const clauses = text
    .split(between)
    .map((clause) => clause.trim())
    .filter((clause) => clause.length > 1);
  const ends =
    clauses.length > mostClauses
      ? [...clauses.slice(0, mostClauses / 2), ...clauses.slice(-mostClauses / 2)]
      : clauses.length > 1
        ? clauses
        : [];
  return [text, ...ends].map((piece) => ({ text: piece, features: listFeatures(piece) }));
}

/** The runs of one to four characters of a normalised text, beginning and end among them, each as a number. */
export function listFeatures(text: string): Uint32Array {
  const found = new Set<number>();
  for (const { feature } of walkGrams(frame(text))) found.add(feature);
  return Uint32Array.from(found);
}

/** The runs that became features, for people to read. */
export function nameFeatures(text: string): ReadonlyMap<number, string> {
  const framed = frame(text);
  const names = new Map<number, string>();
  for (const { feature, start, length } of walkGrams(framed)) names.set(feature, framed.slice(start, start + length));
  return names;
}

function* walkGrams(
  framed: string,
): Generator<{ readonly feature: number; readonly start: number; readonly length: number }> {
  for (let start = 0; start < framed.length; start += 1) {
    // FNV-1a, stirred: 32 bits tell all runs of a language apart well enough.
    let hash = 0x811c9dc5;
    for (let length = 1; length <= longestGram && start + length <= framed.length; length += 1) {
      hash = Math.imul(hash ^ framed.charCodeAt(start + length - 1), 0x01000193);
      hash ^= hash >>> 15;
      yield { feature: (Math.imul(hash ^ length, 0x85ebca6b) ^ (hash >>> 13)) >>> 0, start, length };
    }
  }
}

const frame = (text: string): string => `⟨${text}⟩`;

function shorten(text: string): string {
  return text.length <= kept.first + kept.last ? text : `${text.slice(0, kept.first)}\n${text.slice(-kept.last)}`;
}

/** Marks and words that end a clause. */
const between = /[,。!?;~…\n]+|(?<=\p{Script=Han}) (?=\p{Script=Han})|(?=然后|接着|顺便)|\b(?:and|then)\b|\.(?= |$)/u;
