import { fitsKeys, indexEntries, type IndexedEntry } from "./lore-index.ts";
import { maxScanDepth, type LoreEntry, type Lorebook } from "./lorebook.ts";
import { findSaidKeys, type SaidKeys } from "./said-keys.ts";

/** The messages that a lorebook searches. */
interface LoreTalk {
  /** Oldest first; the newest is the message to be answered. */
  readonly messages: readonly string[];
  /** Messages of the whole conversation, and how many of them are the persona's. */
  readonly count: number;
  readonly replies: number;
  /** 0 up to, not including, 1: the luck of an entry at one of the messages, the same whenever it is asked for. */
  readonly chance: (entry: number, message: number) => number;
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

/** Entries that entries have called may call others, at most this often. */
const maxRounds = 8;
/** Timed entries look back at most this many messages. */
const maxSteps = 100;
/** Characters of entries that are searched for keys of others, in one talk: as many as fit the largest budget. */
const maxRecursionCharacters = 32_000;

/** How an entry is called at the newest message: by its keys in the messages, and by what time and chance say to them. */
type Standing = "called" | "unsaid" | "unlucky" | "rests";

export function createMatchLorebook(book: Lorebook): MatchLorebook {
  const { entries, finder } = indexEntries(book);
  const depthOf = ({ scanDepth = book.scanDepth }: LoreEntry): number => Math.min(scanDepth, maxScanDepth);
  const reach = entries.reduce((far, { entry }) => Math.max(far, isTimed(entry) ? maxSteps : depthOf(entry)), 0);

  return (talk, note) => {
    const messages = reach === 0 ? [] : talk.messages.slice(-reach);
    const offset = talk.messages.length - messages.length;
    const said = findSaidKeys(messages, finder);
    const isLucky = (one: IndexedEntry, place: number): boolean =>
      one.entry.probability >= 1 || talk.chance(one.number, offset + place) < one.entry.probability;
    const isSaid = (one: IndexedEntry, key: number): boolean => said.has(key, said.last, depthOf(one.entry));
    const active = new Set<IndexedEntry>();
    /** Entries that the text of another one may call. */
    const waiting: IndexedEntry[] = [];
    for (const one of entries) {
      const standing = findStanding(one, said, depthOf(one.entry), (place) => isLucky(one, place));
      const isInTime = mayCome(one.entry, talk);
      if (isInTime && !one.entry.delayUntilRecursion && standing === "called") active.add(one);
      else if (isInTime && !one.entry.excludeRecursion && standing !== "unlucky" && standing !== "rests")
        waiting.push(one);
      if (note) explainStart(one, isInTime ? standing : "rests", note);
    }
    if (book.recursive) recurse();
    const chosen = chooseOfGroups([...active], (entry) => talk.chance(entry, talk.messages.length - 1));
    const fitting = fitBudget(chosen, book.tokenBudget);
    if (note) {
      const [wanted, came] = [new Set(chosen), new Set(fitting)];
      for (const one of active) if (!came.has(one)) note(one.entry, { kind: wanted.has(one) ? "budget" : "group" });
    }
    return fitting
      .toSorted((a, b) => placeOf(a.entry) - placeOf(b.entry) || a.entry.order - b.entry.order || a.number - b.number)
      .map(({ entry }) => entry);

    /** The text of each new entry is searched once; an entry that is too large for the budget calls nothing. */
    function recurse(): void {
      const inTexts = new Set<number>();
      let left = maxRecursionCharacters;
      let fresh: readonly IndexedEntry[] = [...active];
      for (let round = 0; round < maxRounds && fresh.length > 0; round += 1) {
        for (const { entry, tokens } of fresh) {
          if (entry.preventRecursion || tokens > book.tokenBudget || left === 0) continue;
          const text = entry.content.slice(0, left);
          left -= text.length;
          for (const key of finder.find(text)) inTexts.add(key);
        }
        fresh = waiting.filter((one) => !active.has(one) && isCalledBy(one, inTexts) && isLucky(one, said.last));
        for (const one of fresh) {
          active.add(one);
          note?.(one.entry, { kind: "recursion", keys: nameKeys(one, (key) => inTexts.has(key) || isSaid(one, key)) });
        }
      }
    }

    function isCalledBy(one: IndexedEntry, inTexts: ReadonlySet<number>): boolean {
      if (one.entry.delayUntilRecursion && !one.keys.some((key) => inTexts.has(key))) return false;
      return fitsKeys(one, (key) => inTexts.has(key) || isSaid(one, key));
    }

    function explainStart(one: IndexedEntry, standing: Standing, tell: NoteLore): void {
      const { entry, keys } = one;
      const has = (key: number): boolean => isSaid(one, key);
      if (active.has(one))
        return tell(entry, entry.constant ? { kind: "constant" } : { kind: "said", keys: nameKeys(one, has) });
      if (!entry.constant && !keys.some(has)) return undefined;
      if (entry.delayUntilRecursion) return tell(entry, { kind: "recursion-only" });
      return tell(entry, { kind: standing === "rests" ? "time" : standing === "unlucky" ? "chance" : "keys" });
    }
  };
}

const nameKeys = ({ entry, keys }: IndexedEntry, has: (key: number) => boolean): readonly string[] =>
  entry.keys.flatMap(({ text }, at) => (has(keys[at] ?? -1) ? [text] : []));

function mayCome({ delay, onlyAfter, onlyEvery }: LoreEntry, { count, replies }: LoreTalk): boolean {
  return count >= delay && replies >= onlyAfter && replies % onlyEvery === 0;
}

const isTimed = ({ afterMatch, cooldown, sticky }: LoreEntry): boolean =>
  sticky > 0 || cooldown > 0 || afterMatch !== "usual";

/**
 * A timed entry stays, and rests after that, as if it had been asked at each message. It is rolled when it is called, and no
 * more while it stays. Calls by the text of other entries are not kept, so they start no time.
 */
function findStanding(one: IndexedEntry, said: SaidKeys, depth: number, isLucky: (place: number) => boolean): Standing {
  const { afterMatch, constant, cooldown, sticky } = one.entry;
  const { last } = said;
  if (constant) return isLucky(last) ? "called" : "unlucky";
  if (!one.keys.some((key) => said.isKnown(key))) return "unsaid";
  const first = isTimed(one.entry) ? 0 : last;
  let staysUntil = -1;
  let restsUntil = -1;
  let standing: Standing = "unsaid";
  for (let place = first; place <= last; place += 1) {
    if (standing === "called" && place <= staysUntil) continue;
    standing = place <= restsUntil ? "rests" : "unsaid";
    if (standing === "rests" || !fitsKeys(one, (key) => said.has(key, place, depth))) continue;
    standing = isLucky(place) ? "called" : "unlucky";
    if (standing === "unlucky") continue;
    staysUntil = afterMatch === "stays" ? Infinity : place + sticky;
    restsUntil = afterMatch === "never" ? Infinity : staysUntil + cooldown;
  }
  return standing;
}

function chooseOfGroups(active: readonly IndexedEntry[], chance: (entry: number) => number): readonly IndexedEntry[] {
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

/** The least priority goes first; within one priority the entry that comes first in the prompt. */
function fitBudget(active: readonly IndexedEntry[], budget: number): readonly IndexedEntry[] {
  let left = budget;
  return active
    .toSorted((a, b) => b.entry.priority - a.entry.priority || b.entry.order - a.entry.order || a.number - b.number)
    .filter(({ tokens }) => {
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
