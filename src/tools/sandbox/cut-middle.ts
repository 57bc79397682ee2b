/** A text of at most about `limit` characters: a third from the front, the rest from the end, where programs say how it went. */
export function cutMiddle(text: string, limit: number): { readonly text: string; readonly cut: boolean } {
  if (text.length <= limit) return { text, cut: false };
  const front = Math.floor(limit / 3);
  const back = limit - front;
  const left = text.length - limit;
  const middle = `\n… ${left} characters left out …\n`;
  return { text: (text.slice(0, front) + middle + text.slice(-back)).toWellFormed(), cut: true };
}
