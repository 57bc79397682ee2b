import { foldText } from "../../../store/search/fold-text.ts";
import { toUnit, type Embedder } from "./embedder.ts";

const dimensions = 512;
const maxLetters = 4_000;

/**
 * Needs no model: letters and pairs of neighbouring letters, hashed. It finds what is written alike, with a slip of the pen
 * or one letter of a word in common, and knows nothing of what words mean.
 */
export function createLexicalEmbedder(): Embedder {
  return {
    id: "letters-512-1",
    dimensions,
    embed: (texts) => Promise.resolve(texts.map(hashLetters)),
    close: () => Promise.resolve(),
  };
}

function hashLetters(text: string): Float32Array {
  const vector = new Float32Array(dimensions);
  const letters = foldText(text.slice(0, maxLetters))
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
  let before = 0;
  for (const letter of letters) {
    const code = letter.codePointAt(0) ?? 0;
    // A single letter of an alphabet carries no meaning.
    if (code >= 0x2e80) add(vector, code);
    if (before !== 0) add(vector, before * 0x11_0000 + code);
    before = code;
  }
  return toUnit(vector);
}

/** The sign comes from the hash, too, so that what meets in one place does not add up. */
function add(vector: Float32Array, value: number): void {
  let hash = Math.imul((value >>> 0) ^ Math.imul(Math.floor(value / 0x1_0000_0000) + 1, 0x9e37_79b1), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  hash ^= hash >>> 16;
  const at = (hash >>> 1) % dimensions;
  vector[at] = (vector[at] ?? 0) + ((hash & 1) === 0 ? 1 : -1);
}
