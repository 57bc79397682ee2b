import type { LoreKey } from "./lorebook.ts";

/** Finds which of many keys stand in a text, in one pass over it (Aho and Corasick, CACM 1975). */
export interface KeyFinder {
  /** Numbers of the keys, in the order they were given. */
  find(text: string): ReadonlySet<number>;
}

interface State {
  readonly next: Map<number, number>;
  /** Where to go on when the next letter leads nowhere. */
  otherwise: number;
  /** Of the keys that end here, the texts. */
  ends: readonly number[];
  /** The nearest state on the way `otherwise` that ends a key; 0 = none. */
  shorter: number;
}

export function createKeyFinder(keys: readonly LoreKey[]): KeyFinder {
  const states: State[] = [createState()];
  const patterns: number[] = [];
  for (const [number, { text, test }] of keys.entries()) {
    if (test) patterns.push(number);
    else addKey(states, fold(text), number);
  }
  link(states);

  return {
    find(text) {
      const found = new Set<number>();
      const folded = fold(text);
      let at = 0;
      for (let end = 1; end <= folded.length; end += 1) {
        at = step(states, at, folded.charCodeAt(end - 1));
        for (let state = states[at]; state; state = state.shorter === 0 ? undefined : states[state.shorter])
          for (const number of state.ends)
            if (!found.has(number) && isWhole(keys[number], text, folded, end)) found.add(number);
      }
      for (const number of patterns) if (keys[number]?.test?.(text)) found.add(number);
      return found;
    },
  };
}

const createState = (): State => ({ next: new Map(), otherwise: 0, ends: [], shorter: 0 });

/** Small letters where that keeps the number of units, so that places in both texts are the same. */
function fold(text: string): string {
  const small = text.toLowerCase();
  return small.length === text.length ? small : text;
}

function addKey(states: State[], text: string, number: number): void {
  let at = 0;
  for (let unit = 0; unit < text.length; unit += 1) {
    const code = text.charCodeAt(unit);
    const state = states[at];
    const next = state?.next.get(code) ?? states.length;
    if (next === states.length) {
      states.push(createState());
      state?.next.set(code, next);
    }
    at = next;
  }
  const last = states[at];
  if (last && at > 0) last.ends = [...last.ends, number];
}

/** Breadth first: a state's way back is known before those of the states behind it. */
function link(states: State[]): void {
  const queue = [...(states[0]?.next.values() ?? [])];
  for (let place = 0; place < queue.length; place += 1) {
    const at = queue[place] ?? 0;
    for (const [code, next] of states[at]?.next ?? []) {
      const state = states[next];
      if (!state) continue;
      state.otherwise = step(states, states[at]?.otherwise ?? 0, code);
      const way = states[state.otherwise];
      state.shorter = way && way.ends.length > 0 ? state.otherwise : (way?.shorter ?? 0);
      queue.push(next);
    }
  }
}

function step(states: readonly State[], from: number, code: number): number {
  let at = from;
  for (;;) {
    const next = states[at]?.next.get(code);
    if (next !== undefined) return next;
    if (at === 0) return 0;
    at = states[at]?.otherwise ?? 0;
  }
}

const letter = /[\p{L}\p{N}_]/u;

/** The place counts: its case, and no letter on either side of a whole word. */
function isWhole(key: LoreKey | undefined, text: string, folded: string, end: number): boolean {
  if (!key) return false;
  const start = end - key.text.length;
  if (key.caseSensitive && text.slice(start, end) !== key.text) return false;
  return !key.wholeWord || !(letter.test(folded.charAt(start - 1)) || letter.test(folded.charAt(end)));
}
