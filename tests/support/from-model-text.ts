/** The reverse of `toModelText`. */
export function fromModelText(text: string): string {
  return text.replace(/\\u\{([0-9a-f]{1,6})\}/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
}
