const longest = 240;

/** The sentences of a text, a long one in pieces. Linear. */
export function splitSentences(text: string): readonly string[] {
  const sentences: string[] = [];
  for (const [found] of text.matchAll(/[^\n。！？!?；;]+[。！？!?；;]?/g)) {
    const sentence = found.trim();
    for (let from = 0; from < sentence.length; from += longest)
      sentences.push(sentence.slice(from, from + longest).toWellFormed());
  }
  return sentences;
}
