import type { LoreKey } from "./lorebook.ts";

/** Finds which of many keys are in a text, in one pass over it (Aho and Corasick, CACM 1975). */
export interface KeyFinder {
  /** Numbers of the keys, in the order they were given. */
  find(text: string): ReadonlySet<number>;
}

interface State {
  /** The first letter that leads on from here and its state; -1 = none. Most states have no more than this one. */
  code: number;
  child: number;
  more: Map<number, number> | undefined;
  /** Where to go on when the next letter leads nowhere. */
  otherwise: number;
  /** Numbers of the keys that end here. */
  ends: number[] | undefined;
  /** The nearest state on the way `otherwise` that ends a key; 0 = none. */
  shorter: number;
}

/** Keys that heed case are looked for in the text itself, the others in the folded text, so a hit needs no comparison. */
export function createKeyFinder(keys: readonly LoreKey[]): KeyFinder {
  const exact: State[] = [createState()];
  const folded: State[] = [createState()];
  const patterns: number[] = [];
  for (const [number, { caseSensitive, test, text }] of keys.entries()) {
    if (test) patterns.push(number);
    else if (caseSensitive) addKey(exact, text, number);
    else addKey(folded, foldCase(text), number);
  }
  link(exact);
  link(folded);

  return {
    find(text) {
      const found = new Set<number>();
      search(exact, text, keys, found);
      search(folded, foldCase(text), keys, found);
      for (const number of patterns) if (keys[number]?.test?.(text)) found.add(number);
      return found;
    },
  };
}

const createState = (): State => ({
  code: -1,
  child: -1,
  more: undefined,
  otherwise: 0,
  ends: undefined,
  shorter: 0,
});

/** Small letters. "İ" is the only letter whose small form is longer, and "ς" the only one that depends on its neighbours. */
export function foldCase(text: string): string {
  return text.replaceAll("İ", "i").toLowerCase().replaceAll("ς", "σ");
}

function search(states: readonly State[], text: string, keys: readonly LoreKey[], found: Set<number>): void {
  if (states.length === 1) return;
  let at = 0;
  for (let end = 1; end <= text.length; end += 1) {
    at = step(states, at, text.charCodeAt(end - 1));
    for (let state = states[at]; state; state = state.shorter === 0 ? undefined : states[state.shorter])
      for (const number of state.ends ?? [])
        if (!found.has(number) && isWhole(keys[number], text, end)) found.add(number);
  }
}

function addKey(states: State[], text: string, number: number): void {
  let at = 0;
  for (let unit = 0; unit < text.length; unit += 1) {
    const code = text.charCodeAt(unit);
    const state = states[at];
    if (!state) return;
    at = nextOf(state, code) ?? addState(states, state, code);
  }
  const last = states[at];
  if (last && at > 0) (last.ends ??= []).push(number);
}

function addState(states: State[], from: State, code: number): number {
  const number = states.push(createState()) - 1;
  if (from.child < 0) {
    from.code = code;
    from.child = number;
  } else {
    from.more ??= new Map();
    from.more.set(code, number);
  }
  return number;
}

function nextOf(state: State, code: number): number | undefined {
  return state.code === code ? state.child : state.more?.get(code);
}

/** Breadth first: the way back of a state is known before the states behind it need it. */
function link(states: State[]): void {
  const queue: number[] = [0];
  for (let place = 0; place < queue.length; place += 1) {
    const at = queue[place] ?? 0;
    const from = states[at];
    if (!from || from.child < 0) continue;
    for (const [code, next] of [[from.code, from.child] as const, ...(from.more ?? [])]) {
      const state = states[next];
      if (!state) continue;
      queue.push(next);
      if (at === 0) continue;
      state.otherwise = step(states, from.otherwise, code);
      const way = states[state.otherwise];
      state.shorter = way?.ends ? state.otherwise : (way?.shorter ?? 0);
    }
  }
}

function step(states: readonly State[], from: number, code: number): number {
  let at = from;
  for (;;) {
    const state = states[at];
    const next = state && nextOf(state, code);
    if (next !== undefined) return next;
    if (at === 0) return 0;
    at = state?.otherwise ?? 0;
  }
}

const letter = /[\p{L}\p{N}_]/u;

/** A key of whole words has no letter on either side of it. */
function isWhole(key: LoreKey | undefined, text: string, end: number): boolean {
  if (!key) return false;
  if (!key.wholeWord) return true;
  return !letter.test(text.charAt(end - key.text.length - 1)) && !letter.test(text.charAt(end));
}
