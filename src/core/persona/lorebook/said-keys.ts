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

/** Each message is searched once; a look at any number of them together costs no more than at one. */
export function findSaidKeys(messages: readonly string[], finder: KeyFinder): SaidKeys {
  /** By key and message: the newest message up to this one that has the key; -1 = none. */
  const newest = new Map<number, Int16Array>();
  for (const [place, message] of messages.entries())
    for (const key of finder.find(message)) {
      const places = newest.get(key) ?? new Int16Array(messages.length).fill(-1);
      places[place] = place;
      newest.set(key, places);
    }
  for (const places of newest.values())
    for (let place = 1; place < places.length; place += 1)
      if (places[place] === -1) places[place] = places[place - 1] ?? -1;
  return {
    last: messages.length - 1,
    isKnown: (key) => newest.has(key),
    has(key, place, depth) {
      const found = newest.get(key)?.[place] ?? -1;
      return found >= 0 && found > place - depth;
    },
  };
}
