import { z } from "zod";
import { compileLinearPattern } from "../../linear-pattern.ts";
import { readDecorators, readNumber } from "./read-decorators.ts";
import type { LoreEntry, LoreKey, LoreLogic, LorePosition, Lorebook } from "./lorebook.ts";

/**
 * Lorebooks as they are exchanged: the V2 `character_book`, the V3 lorebook (bare or `{spec: "lorebook_v3", data}`), and
 * SillyTavern's world info (`entries` by number). SillyTavern's fields stand beside the others or in `extensions`.
 */
export type LorebookResult =
  | { readonly kind: "lorebook"; readonly lorebook: Lorebook }
  | { readonly kind: "refused"; readonly problem: string };

const lorebookLimits = { entries: 10_000, keys: 100, keyLength: 300, patterns: 200, characters: 4_000_000 };
const usualScanDepth = 2;
const usualBudget = 1_000;
const mostBudget = 8_000;
const mostMessages = 1_000;

const flag = z.boolean().optional().catch(undefined);
const number = z.number().finite().optional().catch(undefined);
const text = z.string().catch("");
const texts = z
  .array(z.unknown())
  .catch([])
  .transform((list) => list.filter((one) => typeof one === "string"));

const bookSchema = z.object({
  entries: z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]),
  scan_depth: number,
  token_budget: number,
  recursive_scanning: flag,
});

/** Both spellings of each field: the cards' and SillyTavern's own. */
const entrySchema = z.object({
  keys: texts,
  key: texts,
  secondary_keys: texts,
  keysecondary: texts,
  content: text,
  enabled: flag,
  disable: flag,
  constant: flag,
  selective: flag,
  insertion_order: number,
  order: number,
  priority: number,
  case_sensitive: flag,
  use_regex: flag,
  position: z.union([z.string(), z.number()]).optional().catch(undefined),
  extensions: z.record(z.string(), z.unknown()).catch({}),
});

/** SillyTavern's own, in snake case in cards and in camel case in its files. */
const extraSchema = z.object({
  depth: number,
  probability: number,
  useProbability: flag,
  selectiveLogic: number,
  group: text,
  group_weight: number,
  sticky: number,
  cooldown: number,
  delay: number,
  exclude_recursion: flag,
  prevent_recursion: flag,
  delay_until_recursion: z.union([z.boolean(), z.number()]).optional().catch(undefined),
  scan_depth: number,
  case_sensitive: flag,
  match_whole_words: flag,
  position: number,
});
const camelCase: Readonly<Record<string, string>> = {
  groupWeight: "group_weight",
  excludeRecursion: "exclude_recursion",
  preventRecursion: "prevent_recursion",
  delayUntilRecursion: "delay_until_recursion",
  scanDepth: "scan_depth",
  caseSensitive: "case_sensitive",
  matchWholeWords: "match_whole_words",
};

export function readLorebook(value: unknown): LorebookResult {
  const isStandalone = typeof value === "object" && value !== null && "spec" in value;
  if (isStandalone && value.spec !== "lorebook_v3") return refuse("names a spec that is no lorebook");
  const parsed = bookSchema.safeParse(isStandalone && "data" in value ? value.data : value);
  if (!parsed.success) return refuse("has no list `entries`");
  const { entries: listed, ...book } = parsed.data;
  const raw = Object.values(listed);
  if (raw.length > lorebookLimits.entries)
    return refuse(`has ${raw.length} entries; ${lorebookLimits.entries} is the most`);
  const patterns = { left: lorebookLimits.patterns };
  const entries = raw.flatMap((one) => readEntry(one, patterns) ?? []);
  const characters = entries.reduce((sum, { content }) => sum + content.length, 0);
  if (characters > lorebookLimits.characters)
    return refuse(`has ${characters} characters; ${lorebookLimits.characters} is the most`);
  return {
    kind: "lorebook",
    lorebook: {
      entries,
      scanDepth: whole(book.scan_depth, usualScanDepth, mostMessages),
      tokenBudget: whole(book.token_budget, usualBudget, mostBudget),
      recursive: book.recursive_scanning ?? false,
    },
  };
}

const refuse = (problem: string): LorebookResult => ({ kind: "refused", problem });

function whole(given: number | undefined, usual: number, most: number): number {
  return given === undefined || given < 0 ? usual : Math.min(most, Math.floor(given));
}

/** undefined = it can never come: switched off, empty, or without anything that calls it. */
function readEntry(value: unknown, patterns: { left: number }): LoreEntry | undefined {
  const parsed = entrySchema.safeParse(value);
  if (!parsed.success) return undefined;
  const own = parsed.data;
  const extra = extraSchema.parse({ ...nameAlike(value as object), ...nameAlike(own.extensions) });
  const { content, values } = readDecorators(own.content);
  const isOff = own.enabled === false || own.disable === true || values.has("dont_activate");
  // Which greeting a conversation began with is not kept.
  if (isOff || content === "" || values.has("is_greeting") || values.has("is_user_icon")) return undefined;
  const usesPatterns = own.use_regex ?? false;
  const style = {
    caseSensitive: own.case_sensitive ?? extra.case_sensitive ?? false,
    wholeWord: extra.match_whole_words ?? false,
  };
  const toKeys = (listed: readonly string[]): LoreKey[] =>
    listed
      .slice(0, lorebookLimits.keys)
      .flatMap((key) => readKey(key.trim(), { ...style, usesPatterns, patterns }) ?? []);
  const constant = (own.constant ?? false) || values.has("activate");
  const keys = toKeys([...own.keys, ...own.key]);
  if (!constant && keys.length === 0) return undefined;
  // V3: beside an expression neither `constant` nor secondary keys count; a world info without `selective` has none.
  const secondary = usesPatterns || own.selective === false ? [] : toKeys([...own.secondary_keys, ...own.keysecondary]);
  const cut = (name: string): string[][] =>
    (values.get(name) ?? "").split("\n").map((line) => line.split(",").filter((key) => key.trim() !== ""));
  const order = own.insertion_order ?? own.order ?? 0;
  return {
    keys,
    secondaryKeys: secondary,
    logic: logics[extra.selectiveLogic ?? 0] ?? "any",
    additionalKeys: cut("additional_keys").flatMap((list) => (list.length === 0 ? [] : [toKeys(list)])),
    excludeKeys: cut("exclude_keys").flatMap(toKeys),
    content,
    constant: constant && !(usesPatterns && keys.length > 0 && !values.has("activate")),
    order,
    priority: values.has("ignore_on_max_context") ? -Infinity : (own.priority ?? order),
    position: readPosition(own.position ?? extra.position, extra, values),
    scanDepth: readNumber(values, "scan_depth") ?? extra.scan_depth,
    probability: extra.useProbability === false ? 1 : Math.min(100, Math.max(0, extra.probability ?? 100)) / 100,
    group: extra.group,
    groupWeight: Math.max(0, extra.group_weight ?? 100),
    sticky: whole(extra.sticky, 0, mostMessages),
    cooldown: whole(extra.cooldown, 0, mostMessages),
    delay: whole(extra.delay, 0, mostMessages),
    onlyAfter: readNumber(values, "activate_only_after") ?? 0,
    onlyEvery: Math.max(1, readNumber(values, "activate_only_every") ?? 1),
    afterMatch: values.has("keep_activate_after_match")
      ? "stays"
      : values.has("dont_activate_after_match")
        ? "never"
        : "usual",
    excludeRecursion: extra.exclude_recursion ?? false,
    preventRecursion: extra.prevent_recursion ?? false,
    delayUntilRecursion: Boolean(extra.delay_until_recursion),
  };
}

const logics: readonly LoreLogic[] = ["any", "not-all", "not-any", "all"];

function nameAlike(fields: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [[camelCase[name] ?? name, value]])),
  );
}

/** SillyTavern writes keys that are expressions as /…/flags. An expression that is none matches nothing. */
function readKey(
  given: string,
  {
    caseSensitive,
    wholeWord,
    usesPatterns,
    patterns,
  }: Pick<LoreKey, "caseSensitive" | "wholeWord"> & {
    readonly usesPatterns: boolean;
    readonly patterns: { left: number };
  },
): LoreKey | undefined {
  if (given === "" || given.length > lorebookLimits.keyLength) return undefined;
  const [, slashed, flags = ""] = /^\/(.+)\/([a-z]{0,8})$/s.exec(given) ?? [];
  const source = slashed ?? (usesPatterns ? given : undefined);
  if (source === undefined)
    return {
      text: given,
      caseSensitive,
      wholeWord: wholeWord && !/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(given),
    };
  patterns.left -= 1;
  const compiled =
    patterns.left < 0
      ? undefined
      : compileLinearPattern(
          `${writeFlags(slashed === undefined, caseSensitive, flags)}${source.replaceAll("\\/", "/")}`,
        );
  if (compiled?.kind !== "pattern") return undefined;
  return { text: given, caseSensitive: false, wholeWord: false, test: compiled.pattern.test };
}

/** As JavaScript has it: only `i` makes case count for nothing. Without slashes the entry's own `case_sensitive` decides. */
function writeFlags(isBare: boolean, caseSensitive: boolean, flags: string): string {
  const isExact = isBare ? caseSensitive : !flags.includes("i");
  const others = ["m", "s"].filter((flag) => flags.includes(flag)).join("");
  const written = `${others}${isExact ? "-i" : ""}`;
  return written === "" ? "" : `(?${written})`;
}

function readPosition(
  given: string | number | undefined,
  { depth }: { readonly depth?: number | undefined },
  values: ReadonlyMap<string, string>,
): LorePosition {
  const decorated = readNumber(values, "depth");
  if (decorated !== undefined) return { kind: "depth", depth: decorated };
  const named = values.get("position");
  if (named === "before_desc" || named === "after_desc") return { kind: named === "before_desc" ? "before" : "after" };
  // SillyTavern: 0 before, 1 after the character, 4 at a depth; the others stand around notes that we do not have.
  if (given === 4) return { kind: "depth", depth: whole(depth, 4, mostMessages) };
  return { kind: given === "before_char" || given === 0 ? "before" : "after" };
}
