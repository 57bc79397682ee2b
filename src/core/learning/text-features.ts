const maxGramLength = 4;

/** The runs of one to four characters of a normalised text, beginning and end among them, each as a number. */
export function listFeatures(text: string): Uint32Array {
  const found = new Set<number>();
  walkGrams(frame(text), (feature) => found.add(feature));
  return Uint32Array.from(found);
}

/**
 * In addition to the runs, the words of an alphabet and pairs of words up to four apart: a run of four letters says
 * little.
 */
export function listFeaturesWithWords(text: string): Uint32Array {
  const found = new Set(listFeatures(text));
  const words = text.match(/[\p{sc=Latin}']{1,40}|[.!?,;:]/gu) ?? [];
  words.forEach((word, at) => {
    found.add(hashFeature(`w ${word}`));
    for (let apart = 1; apart <= maxApart && at + apart < words.length; apart += 1)
      found.add(hashFeature(`p ${word} ${words[at + apart] ?? ""}`));
  });
  return Uint32Array.from(found);
}

const maxApart = 4;

/** The number of a feature that has a name. */
export function hashFeature(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
    value ^= value >>> 15;
  }
  return (Math.imul(value, 0x85ebca6b) ^ (value >>> 13)) >>> 0;
}

/** The runs that became features, for people to read. */
export function nameFeatures(text: string): ReadonlyMap<number, string> {
  const framed = frame(text);
  const names = new Map<number, string>();
  walkGrams(framed, (feature, start, length) => names.set(feature, framed.slice(start, start + length)));
  return names;
}

function walkGrams(framed: string, take: (feature: number, start: number, length: number) => unknown): void {
  for (let start = 0; start < framed.length; start += 1) {
    // FNV-1a, stirred: 32 bits distinguish all runs of a language well enough.
    let hash = 0x811c9dc5;
    for (let length = 1; length <= maxGramLength && start + length <= framed.length; length += 1) {
      hash = Math.imul(hash ^ framed.charCodeAt(start + length - 1), 0x01000193);
      hash ^= hash >>> 15;
      take((Math.imul(hash ^ length, 0x85ebca6b) ^ (hash >>> 13)) >>> 0, start, length);
    }
  }
}

const frame = (text: string): string => `⟨${text}⟩`;
