/** Postgres takes no NUL in text and refuses the whole statement; people and platforms do send one. */
export function replaceNul(parameter: unknown): unknown {
  if (typeof parameter === "string") return parameter.replaceAll("\0", "\u{FFFD}");
  return Array.isArray(parameter) ? parameter.map(replaceNul) : parameter;
}
