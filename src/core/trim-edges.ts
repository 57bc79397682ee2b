/**
 * Takes away what `edge` finds at both ends, character by character, so in linear time. A repeat before `$` looks at every
 * inner run again from each of its characters. `edge` is anchored and matches one character.
 */
export function trimEdges(text: string, edge: RegExp): string {
  return trimEnd(trimStart(text, edge), edge);
}

function trimStart(text: string, edge: RegExp): string {
  let start = 0;
  while (start < text.length) {
    const character = String.fromCodePoint(text.codePointAt(start) ?? 0);
    if (!edge.test(character)) break;
    start += character.length;
  }
  return text.slice(start);
}

export function trimEnd(text: string, edge: RegExp): string {
  let end = text.length;
  while (end > 0) {
    const pair = text.codePointAt(end - 2);
    const character = pair !== undefined && pair > 0xffff ? text.slice(end - 2, end) : text.charAt(end - 1);
    if (!edge.test(character)) break;
    end -= character.length;
  }
  return text.slice(0, end);
}
