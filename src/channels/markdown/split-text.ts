/**
 * Cuts plain text into parts of at most `limit` UTF-16 units: at paragraphs, else lines, else sentences, else words, else
 * anywhere but within a character. Joined, the parts are the text but for white space at the cuts.
 */
export function splitText(text: string, limit: number): string[] {
  const parts: string[] = [];
  let rest = text.trim();
  while (rest.length > limit) {
    const end = findCut(rest, limit);
    parts.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  if (rest !== "" || parts.length === 0) parts.push(rest);
  return parts;
}

/** Best first. A cut in the first quarter would leave a stump, so the next kind is tried instead. */
const seams = [/\n\s*\n/g, /\n/g, /[。！？…；]+[”」』）)"]*|(?<![.!?;])[.!?;]+["')]*\s/g, /\s/g];

function findCut(text: string, limit: number): number {
  const head = text.slice(0, limit);
  for (const seam of seams) {
    const last = [...head.matchAll(seam)].at(-1);
    const end = last === undefined ? 0 : last.index + last[0].length;
    if (end > limit / 4) return end;
  }
  return splitsCharacter(text, limit) ? limit - 1 : limit;
}

/** A cut here would part the two halves of a surrogate pair. */
function splitsCharacter(text: string, index: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]/.test(text.slice(index - 1, index + 1));
}
