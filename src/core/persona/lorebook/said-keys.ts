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
  /** By key: the messages that have it, oldest first. */
  const places = new Map<number, number[]>();
  for (const [place, message] of messages.entries())
    for (const key of finder.find(message)) {
      const known = places.get(key);
      if (known) known.push(place);
      else places.set(key, [place]);
    }
  return {
    last: messages.length - 1,
    isKnown: (key) => places.has(key),
    has(key, place, depth) {
      const newest = places.get(key)?.findLast((at) => at <= place);
      return newest !== undefined && newest > place - depth;
    },
  };
}
