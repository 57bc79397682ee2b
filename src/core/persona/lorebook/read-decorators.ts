/** The settings in the lines before a text (Character Card V3, "Decorators"). Unknown ones are dropped. */
export interface Decorators {
  readonly content: string;
  readonly values: ReadonlyMap<string, string>;
}

/** `role` is not among them: all entries are in one block, so its fallback counts. */
const known = new Set([
  "depth",
  "scan_depth",
  "position",
  "activate_only_after",
  "activate_only_every",
  "keep_activate_after_match",
  "dont_activate_after_match",
  "additional_keys",
  "exclude_keys",
  "is_greeting",
  "is_user_icon",
  "activate",
  "dont_activate",
  "ignore_on_max_context",
]);

/** `@@@name` counts only where the one before it is not known. A decorator that is repeated counts as often (`additional_keys`). */
export function readDecorators(text: string): Decorators {
  const values = new Map<string, string>();
  const lines = text.split("\n");
  let at = 0;
  let isCovered = false;
  for (; at < lines.length; at += 1) {
    const line = (lines[at] ?? "").trim();
    if (!line.startsWith("@@")) break;
    const isFallback = line.startsWith("@@@");
    const [name = "", ...rest] = line.slice(isFallback ? 3 : 2).split(" ");
    if (isFallback && isCovered) continue;
    isCovered = known.has(name);
    if (!isCovered) continue;
    const before = values.get(name);
    values.set(name, before === undefined ? rest.join(" ").trim() : `${before}\n${rest.join(" ").trim()}`);
  }
  return { content: lines.slice(at).join("\n").trim(), values };
}

/** A whole number; undefined when there is none. */
export function readNumber(values: Decorators["values"], name: string): number | undefined {
  const given = values.get(name);
  return given !== undefined && /^\d{1,6}$/.test(given) ? Number(given) : undefined;
}
