import type { KeyFinder } from "./key-finder.ts";

/** The keys that are in the messages of a talk, by message. */
export interface SaidKeys {
  /** Place of the newest message; -1 = there is none. */
  readonly last: number;
  /** Whether the key is in any message. */
  isKnown(key: number): boolean;
  /** Whether the key is in one of the newest `depth` messages when `place` is the newest. */
  has(key: number, place: number, depth: number): boolean;
}

/** Each message is searched once, and no sets of several messages are joined. */
export function findSaidKeys(messages: readonly string[], finder: KeyFinder): SaidKeys {
  const last = messages.length - 1;
  const found = messages.map((message) => finder.find(message));
  /** By key: the newest message that has it; -1 = none. */
  const newest = new Int32Array(finder.size).fill(-1);
  for (const [place, keys] of found.entries()) for (const key of keys) newest[key] = place;
  /** By key: all messages that have it, oldest first. Only timed entries ask for older ones. */
  let places: ReadonlyMap<number, readonly number[]> | undefined;
  const findNewest = (key: number, until: number): number => {
    const at = newest[key] ?? -1;
    if (at <= until) return at;
    places ??= listPlaces(found);
    return places.get(key)?.findLast((place) => place <= until) ?? -1;
  };
  return {
    last,
    isKnown: (key) => (newest[key] ?? -1) >= 0,
    has(key, place, depth) {
      const at = findNewest(key, place);
      return at >= 0 && at > place - depth;
    },
  };
}

function listPlaces(found: readonly ReadonlySet<number>[]): ReadonlyMap<number, readonly number[]> {
  const places = new Map<number, number[]>();
  for (const [place, keys] of found.entries())
    for (const key of keys) {
      const known = places.get(key);
      if (known) known.push(place);
      else places.set(key, [place]);
    }
  return places;
}
