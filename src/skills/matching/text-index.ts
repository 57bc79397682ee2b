/** Finds which of many texts stand in a sentence in one walk over it, however many there are. */
export interface TextIndex<Owner> {
  find(sentence: string): ReadonlySet<Owner>;
}

interface Step<Owner> {
  readonly next: Map<string, Step<Owner>>;
  readonly owners: Owner[];
}

export function createTextIndex<Owner>(entries: Iterable<readonly [text: string, owner: Owner]>): TextIndex<Owner> {
  const root: Step<Owner> = { next: new Map(), owners: [] };
  for (const [text, owner] of entries) {
    let step = root;
    for (let at = 0; at < text.length; at += 1) {
      const character = text.charAt(at);
      const next: Step<Owner> = step.next.get(character) ?? { next: new Map(), owners: [] };
      step.next.set(character, next);
      step = next;
    }
    step.owners.push(owner);
  }
  return {
    find(sentence) {
      const found = new Set<Owner>();
      for (let start = 0; start < sentence.length; start += 1) {
        let step = root.next.get(sentence.charAt(start));
        for (let at = start + 1; step !== undefined; at += 1) {
          for (const owner of step.owners) found.add(owner);
          step = step.next.get(sentence.charAt(at));
        }
      }
      return found;
    },
  };
}
