import { estimateTokens } from "../../estimate-tokens.ts";
import { createKeyFinder, type KeyFinder } from "./key-finder.ts";
import type { LoreEntry, LoreKey, Lorebook } from "./lorebook.ts";

/** The messages that a lorebook searches. */
interface LoreTalk {
  /** Oldest first; the newest is the message to be answered. */
  readonly messages: readonly string[];
  /** Messages of the whole conversation, and how many of them are the persona's. */
  readonly count: number;
  readonly replies: number;
  /** Tells chances apart: 0 up to, not including, 1 for an entry; the same for the same turn. */
  readonly chance: (entry: number) => number;
}

/** Picks the entries of one book for a talk. Time grows with the text and the entries. `note` hears why an entry comes or does not. */
export type MatchLorebook = (talk: LoreTalk, note?: NoteLore) => readonly LoreEntry[];

/** Called for entries whose keys were said, and for constant ones; of one entry the last call counts. */
type NoteLore = (entry: LoreEntry, why: LoreReason) => void;

export type LoreReason =
  /** It comes: always, by these keys, or by these keys in the text of another entry. */
  | { readonly kind: "constant" }
  | { readonly kind: "said" | "recursion"; readonly keys: readonly string[] }
  /** It stays out. `keys`: secondary, additional or excluded keys decide so. */
  | { readonly kind: "keys" | "time" | "chance" | "group" | "budget" | "recursion-only" };

/** Entries that entries have called may call others, so often. */
const mostRounds = 8;
/** Timed entries look back so many messages. */
const mostSteps = 100;

interface Indexed {
  readonly entry: LoreEntry;
  readonly number: number;
  /** Numbers of its keys in the finder, list by list. */
  readonly keys: readonly number[];
  readonly secondary: readonly number[];
  readonly additional: readonly (readonly number[])[];
  readonly excluded: readonly number[];
}

export function createMatchLorebook(book: Lorebook): MatchLorebook {
  const { entries, finder } = indexEntries(book);
  const name = ({ entry, keys }: Indexed, said: ReadonlySet<number>): readonly string[] =>
    entry.keys.flatMap(({ text }, at) => (said.has(keys[at] ?? -1) ? [text] : []));

  return (talk, note) => {
    const found = talk.messages.slice(-mostSteps).map((message) => finder.find(message));
    const rolls = (one: Indexed): boolean =>
      one.entry.probability >= 1 || talk.chance(one.number) < one.entry.probability;
    const active = new Set<Indexed>();
    for (const one of entries) {
      if (one.entry.delayUntilRecursion || !mayCome(one.entry, talk)) continue;
      if ((one.entry.constant || isCalled(one, found, book.scanDepth)) && rolls(one)) active.add(one);
    }
    if (note) for (const one of entries) explainStart(one, note);
    if (book.recursive) recurse([...active], active);
    const chosen = chooseOfGroups([...active], talk.chance);
    const fitting = fitBudget(chosen, book.tokenBudget);
    if (note) {
      const [wanted, came] = [new Set(chosen), new Set(fitting)];
      for (const one of active) if (!came.has(one)) note(one.entry, { kind: wanted.has(one) ? "budget" : "group" });
    }
    return fitting
      .toSorted((a, b) => placeOf(a.entry) - placeOf(b.entry) || a.entry.order - b.entry.order || a.number - b.number)
      .map(({ entry }) => entry);

    /** The texts of new entries are read once each. */
    function recurse(first: readonly Indexed[], known: Set<Indexed>): void {
      const said = new Set<number>();
      let fresh = first;
      for (let round = 0; round < mostRounds && fresh.length > 0; round += 1) {
        for (const { entry } of fresh)
          if (!entry.preventRecursion) for (const key of finder.find(entry.content)) said.add(key);
        fresh = entries.filter(
          (one) =>
            !known.has(one) && !one.entry.excludeRecursion && mayCome(one.entry, talk) && fits(one, said) && rolls(one),
        );
        for (const one of fresh) {
          known.add(one);
          note?.(one.entry, { kind: "recursion", keys: name(one, said) });
        }
      }
    }

    function explainStart(one: Indexed, tell: NoteLore): void {
      const { entry, keys } = one;
      const depth = entry.scanDepth ?? book.scanDepth;
      const said = join(depth === 0 ? [] : found.slice(-depth));
      const isNamed = keys.some((key) => said.has(key));
      if (active.has(one))
        return tell(entry, entry.constant ? { kind: "constant" } : { kind: "said", keys: name(one, said) });
      if (!entry.constant && !isNamed) return undefined;
      if (entry.delayUntilRecursion) return tell(entry, { kind: "recursion-only" });
      if (!mayCome(entry, talk)) return tell(entry, { kind: "time" });
      if (!entry.constant && !fits(one, said)) return tell(entry, { kind: "keys" });
      return tell(entry, { kind: entry.constant || isCalled(one, found, book.scanDepth) ? "chance" : "time" });
    }
  };
}

/** Two entries with the same key share it, so that a book of thousands stays small. */
function indexEntries(book: Lorebook): { readonly entries: readonly Indexed[]; readonly finder: KeyFinder } {
  const all: LoreKey[] = [];
  const numbers = new Map<string, number>();
  const number = (key: LoreKey): number => {
    const name = `${key.caseSensitive} ${key.wholeWord} ${key.test !== undefined} ${key.text}`;
    const known = numbers.get(name) ?? all.push(key) - 1;
    numbers.set(name, known);
    return known;
  };
  const entries = book.entries.map((entry, at) => ({
    entry,
    number: at,
    keys: entry.keys.map(number),
    secondary: entry.secondaryKeys.map(number),
    additional: entry.additionalKeys.map((list) => list.map(number)),
    excluded: entry.excludeKeys.map(number),
  }));
  return { entries, finder: createKeyFinder(all) };
}

function mayCome({ delay, onlyAfter, onlyEvery }: LoreEntry, { count, replies }: LoreTalk): boolean {
  return count >= delay && replies >= onlyAfter && replies % onlyEvery === 0;
}

/** Its keys stand in the newest messages; sticky ones stay, and rest after it, as if it had been asked at each message. */
function isCalled(one: Indexed, found: readonly ReadonlySet<number>[], usualDepth: number): boolean {
  const { afterMatch, cooldown, scanDepth = usualDepth, sticky } = one.entry;
  const isSaidAt = (step: number): boolean => fits(one, join(found.slice(Math.max(0, step + 1 - scanDepth), step + 1)));
  const last = found.length - 1;
  if (sticky === 0 && cooldown === 0 && afterMatch === "usual") return isSaidAt(last);
  let until = -1;
  let restsUntil = -1;
  let wasCalled = false;
  for (let step = 0; step <= last; step += 1) {
    if (step <= until) continue;
    if (step <= restsUntil || !isSaidAt(step)) continue;
    if (afterMatch === "stays") return true;
    if (afterMatch === "never" && wasCalled) continue;
    wasCalled = true;
    until = step + sticky;
    restsUntil = until + cooldown;
  }
  return last <= until;
}

function join(sets: readonly ReadonlySet<number>[]): ReadonlySet<number> {
  const [only = new Set<number>(), ...more] = sets;
  return more.length === 0 ? only : new Set(sets.flatMap((set) => [...set]));
}

function fits({ entry, keys, secondary, additional, excluded }: Indexed, said: ReadonlySet<number>): boolean {
  const has = (key: number): boolean => said.has(key);
  if (!keys.some(has) || excluded.some(has) || !additional.every((list) => list.some(has))) return false;
  if (secondary.length === 0) return true;
  switch (entry.logic) {
    case "any":
      return secondary.some(has);
    case "all":
      return secondary.every(has);
    case "not-any":
      return !secondary.some(has);
    case "not-all":
      return !secondary.every(has);
  }
}

function chooseOfGroups(active: readonly Indexed[], chance: (entry: number) => number): readonly Indexed[] {
  const groups = Map.groupBy(
    active.filter(({ entry }) => entry.group !== ""),
    ({ entry }) => entry.group,
  );
  const chosen = [...groups.values()].flatMap((members) => {
    const [first] = members;
    if (!first) return [];
    const weights = members.reduce((sum, { entry }) => sum + entry.groupWeight, 0);
    let left = chance(first.number) * weights;
    return members.find(({ entry }) => (left -= entry.groupWeight) < 0) ?? first;
  });
  return [...active.filter(({ entry }) => entry.group === ""), ...chosen];
}

/** Those of the least priority go first; of one priority those that would stand first. */
function fitBudget(active: readonly Indexed[], budget: number): readonly Indexed[] {
  let left = budget;
  return active
    .toSorted((a, b) => b.entry.priority - a.entry.priority || b.entry.order - a.entry.order || a.number - b.number)
    .filter(({ entry }) => {
      const tokens = estimateTokens(entry.content);
      if (tokens > left) return false;
      left -= tokens;
      return true;
    });
}

/** Before the character, after it, then those at a depth, the deepest first. */
function placeOf({ position }: LoreEntry): number {
  if (position.kind === "depth") return 2 + 1 / (1 + position.depth);
  return position.kind === "before" ? 0 : 1;
}
