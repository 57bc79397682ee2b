/** Many texts, found in another one in one pass over it (Aho and Corasick, CACM 1975). */
export interface KeyTrie {
  /** Calls `hit` for each place where a key ends, with the place behind its last letter. */
  visit(text: string, hit: (number: number, end: number) => void): void;
}

/** States by number, 0 = the start. Most states have one letter that leads on, so the first has no table. */
interface States {
  readonly letters: number[];
  readonly children: number[];
  /** The other letters that lead on. */
  readonly more: (Map<number, number> | undefined)[];
  /** Where to go on when the next letter leads nowhere. */
  readonly otherwise: number[];
  /** Numbers of the keys that end here. */
  readonly ends: (number[] | undefined)[];
  /** The nearest state on the way `otherwise` that ends a key; 0 = none. */
  readonly shorter: number[];
}

export function createKeyTrie(keys: readonly { readonly text: string; readonly number: number }[]): KeyTrie {
  const states: States = { letters: [], children: [], more: [], otherwise: [], ends: [], shorter: [] };
  addState(states);
  for (const { text, number } of keys) addKey(states, text, number);
  link(states);
  const { children, ends, letters, more, otherwise, shorter } = states;

  return {
    visit(text, hit) {
      if (letters.length === 1) return;
      let at = 0;
      for (let end = 1; end <= text.length; end += 1) {
        const code = text.charCodeAt(end - 1);
        let next = letters[at] === code ? children[at] : more[at]?.get(code);
        while (next === undefined && at !== 0) {
          at = otherwise[at] ?? 0;
          next = letters[at] === code ? children[at] : more[at]?.get(code);
        }
        at = next ?? 0;
        for (let state = at; state !== 0; state = shorter[state] ?? 0)
          for (const number of ends[state] ?? noKeys) hit(number, end);
      }
    },
  };
}

const noKeys: readonly number[] = [];

function addState(states: States): number {
  states.letters.push(-1);
  states.children.push(-1);
  states.more.push(undefined);
  states.otherwise.push(0);
  states.ends.push(undefined);
  states.shorter.push(0);
  return states.letters.length - 1;
}

function addKey(states: States, text: string, number: number): void {
  let at = 0;
  for (let unit = 0; unit < text.length; unit += 1) {
    const code = text.charCodeAt(unit);
    at = nextOf(states, at, code) ?? addChild(states, at, code);
  }
  if (at > 0) (states.ends[at] ??= []).push(number);
}

function addChild(states: States, from: number, code: number): number {
  const child = addState(states);
  if (states.letters[from] === -1) {
    states.letters[from] = code;
    states.children[from] = child;
  } else (states.more[from] ??= new Map()).set(code, child);
  return child;
}

function nextOf({ children, letters, more }: States, at: number, code: number): number | undefined {
  return letters[at] === code ? children[at] : more[at]?.get(code);
}

/** Breadth first: the way back of a state is known before the states behind it need it. */
function link(states: States): void {
  const queue = [0];
  for (let place = 0; place < queue.length; place += 1) {
    const from = queue[place] ?? 0;
    for (const [code, child] of childrenOf(states, from)) {
      queue.push(child);
      if (from === 0) continue;
      const way = stepBack(states, states.otherwise[from] ?? 0, code);
      states.otherwise[child] = way;
      states.shorter[child] = states.ends[way] ? way : (states.shorter[way] ?? 0);
    }
  }
}

function childrenOf({ children, letters, more }: States, at: number): readonly (readonly [number, number])[] {
  const letter = letters[at] ?? -1;
  return letter < 0 ? [] : [[letter, children[at] ?? 0], ...(more[at] ?? [])];
}

function stepBack(states: States, from: number, code: number): number {
  let at = from;
  let next = nextOf(states, at, code);
  while (next === undefined && at !== 0) {
    at = states.otherwise[at] ?? 0;
    next = nextOf(states, at, code);
  }
  return next ?? 0;
}
