const maxLength = 240;

/** Splits a text into sentences, and long sentences into pieces. Linear. */
export function splitSentences(text: string): readonly string[] {
  const sentences: string[] = [];
  for (const [found] of text.matchAll(/[^\n。！？!?；;]+[。！？!?；;]?/g)) {
    for (const sentence of found.trim().split(between))
      for (let from = 0; from < sentence.length; from += maxLength)
        sentences.push(sentence.slice(from, from + maxLength).toWellFormed());
  }
  return sentences;
}

/** A full stop ends a sentence between two lower-case letters and a capital, which excludes numbers and "Dr.". */
const between = /(?<=[\p{Ll}\d)]{2}\.)(?<!Mrs\.) (?=\p{Lu})/u;
