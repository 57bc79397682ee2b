import { z } from "zod";
import { maxScanDepth, type LoreEntry, type LoreLogic, type LorePosition, type Lorebook } from "./lorebook.ts";
import { readDecorators, readNumber } from "./read-decorators.ts";
import { readKeys, type KeyRoom } from "./read-key.ts";

/**
 * Lorebooks as they are exchanged: the V2 `character_book`, the V3 lorebook (bare or `{spec: "lorebook_v3", data}`),
 * and SillyTavern's world info (`entries` by number). SillyTavern's fields are next to the others or in `extensions`.
 */
export type LorebookResult =
  | { readonly kind: "lorebook"; readonly lorebook: Lorebook }
  | { readonly kind: "refused"; readonly problem: string };

const lorebookLimits = { entries: 10_000, characters: 4_000_000 };
/** Limits of all entries together: keys, their characters, and expressions. */
const keyRoom: Readonly<KeyRoom> = { keys: 30_000, characters: 300_000, patterns: 200 };
const defaultScanDepth = 2;
const defaultBudget = 1_000;
const maxBudget = 8_000;
const maxMessages = 1_000;

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
  const room = { ...keyRoom };
  const read = raw.flatMap((one, at) => readEntry(one, at + 1, room) ?? []);
  if (room.keys < 0) return refuse(`has more than ${keyRoom.keys} keys`);
  if (room.characters < 0) return refuse(`has keys of more than ${keyRoom.characters} characters`);
  const [entries = [], disabled = []] = [true, false].map((on) =>
    read.flatMap(({ entry, isOn }) => (isOn === on ? [entry] : [])),
  );
  const characters = entries.reduce((sum, { content }) => sum + content.length, 0);
  if (characters > lorebookLimits.characters)
    return refuse(`has ${characters} characters; ${lorebookLimits.characters} is the most`);
  return {
    kind: "lorebook",
    lorebook: {
      entries,
      disabled,
      scanDepth: whole(book.scan_depth, defaultScanDepth, maxScanDepth),
      tokenBudget: whole(book.token_budget, defaultBudget, maxBudget),
      recursive: book.recursive_scanning ?? false,
    },
  };
}

const refuse = (problem: string): LorebookResult => ({ kind: "refused", problem });

function whole(given: number | undefined, usual: number, most: number): number {
  return given === undefined || given < 0 ? usual : Math.min(most, Math.floor(given));
}

/** Undefined when it can never become active: it is empty, or has no keys and is not constant. */
function readEntry(
  value: unknown,
  place: number,
  room: KeyRoom,
): { readonly entry: LoreEntry; readonly isOn: boolean } | undefined {
  const parsed = entrySchema.safeParse(value);
  if (!parsed.success) return undefined;
  const own = parsed.data;
  const extra = extraSchema.parse({ ...nameAlike(value as object), ...nameAlike(own.extensions) });
  const { content, values } = readDecorators(own.content);
  // Which greeting a conversation began with is not kept.
  if (content === "" || values.has("is_greeting") || values.has("is_user_icon")) return undefined;
  // SillyTavern's exporter writes `use_regex` for every entry, and one of two words for any position.
  const isSillyTavern = "selectiveLogic" in own.extensions || "display_index" in own.extensions;
  const usesPatterns = !isSillyTavern && (own.use_regex ?? false);
  const style = {
    caseSensitive: own.case_sensitive ?? extra.case_sensitive ?? false,
    wholeWord: extra.match_whole_words ?? false,
    usesPatterns,
  };
  const toKeys = (listed: readonly string[]) => readKeys(listed, style, room);
  const constant = (own.constant ?? false) || values.has("activate");
  const keys = toKeys([...own.keys, ...own.key]);
  if (!constant && keys.length === 0) return undefined;
  // V3: with an expression neither `constant` nor secondary keys count. Without `selective` a card's entry has no
  // secondary keys; an entry of a world info, which has `key` instead of `keys`, has them.
  const isSelective = own.selective ?? ("key" in (value as object) && own.keys.length === 0);
  const secondary = usesPatterns || !isSelective ? [] : toKeys([...own.secondary_keys, ...own.keysecondary]);
  const cut = (name: string): string[][] =>
    (values.get(name) ?? "").split("\n").map((line) => line.split(",").filter((key) => key.trim() !== ""));
  const order = own.insertion_order ?? own.order ?? 0;
  const entry: LoreEntry = {
    number: place,
    keys,
    secondaryKeys: secondary,
    logic: logics[extra.selectiveLogic ?? 0] ?? "any",
    additionalKeys: cut("additional_keys").flatMap((list) => (list.length === 0 ? [] : [toKeys(list)])),
    excludeKeys: cut("exclude_keys").flatMap(toKeys),
    content,
    constant: constant && !(usesPatterns && keys.length > 0 && !values.has("activate")),
    order,
    priority: values.has("ignore_on_max_context") ? -Infinity : (own.priority ?? order),
    position: readPosition(
      (isSillyTavern ? extra.position : undefined) ?? own.position ?? extra.position,
      extra,
      values,
    ),
    scanDepth: readScanDepth(readNumber(values, "scan_depth") ?? extra.scan_depth),
    probability: extra.useProbability === false ? 1 : Math.min(100, Math.max(0, extra.probability ?? 100)) / 100,
    group: extra.group,
    groupWeight: Math.max(0, extra.group_weight ?? 100),
    sticky: whole(extra.sticky, 0, maxMessages),
    cooldown: whole(extra.cooldown, 0, maxMessages),
    delay: whole(extra.delay, 0, maxMessages),
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
  return { entry, isOn: own.enabled !== false && own.disable !== true && !values.has("dont_activate") };
}

const readScanDepth = (given: number | undefined): number | undefined =>
  given === undefined || given < 0 ? undefined : whole(given, 0, maxScanDepth);

const logics: readonly LoreLogic[] = ["any", "not-all", "not-any", "all"];

function nameAlike(fields: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [[camelCase[name] ?? name, value]])),
  );
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
  // SillyTavern: 0 before, 1 after the character, 4 at a depth; the others surround notes that we do not have.
  if (given === 4) return { kind: "depth", depth: whole(depth, 4, maxMessages) };
  return { kind: given === "before_char" || given === 0 ? "before" : "after" };
}
