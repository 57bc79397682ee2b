const longest = 240;

/** The sentences of a text, a long one in pieces. Linear. */
export function splitSentences(text: string): readonly string[] {
  const sentences: string[] = [];
  for (const [found] of text.matchAll(/[^\n。！？!?；;]+[。！？!?；;]?/g)) {
    for (const sentence of found.trim().split(between))
      for (let from = 0; from < sentence.length; from += longest)
        sentences.push(sentence.slice(from, from + longest).toWellFormed());
  }
  return sentences;
}

/** A full stop ends a sentence where two small letters stand before it and a capital one behind: no number, no "Dr.". */
const between = /(?<=[\p{Ll}\d)]{2}\.)(?<!Mrs\.) (?=\p{Lu})/u;
