/** The newest part of an output that nobody has looked at yet. */
export interface NewestOutput {
  add(text: string): void;
  /** Takes it away; `whole` = the part after the last blank as well, since nothing more comes. */
  take(whole: boolean): { readonly output: string; readonly cut: number };
}

const keptLength = 12_000;

/**
 * Cut between words only: no secret is split, so the scrubber finds each as a whole. A word longer than all that is kept
 * is cut.
 */
export function createNewestOutput(): NewestOutput {
  let text = "";
  let cut = 0;

  function trim(): void {
    if (text.length <= keptLength) return;
    const least = text.length - keptLength;
    const blank = text.slice(least).search(/\s/);
    const from = blank === -1 ? least : least + blank + 1;
    cut += from;
    text = text.slice(from);
  }

  return {
    add(more) {
      text += more;
      // Now and then, so that many small pieces cost no more than their length.
      if (text.length > 4 * keptLength) trim();
    },
    take(whole) {
      trim();
      const blank = text.search(/\s\S*$/);
      const isOneWord = blank === -1 && text.length >= keptLength;
      const end = whole || isOneWord ? text.length : blank + 1;
      const taken = { output: text.slice(0, end), cut };
      text = text.slice(end);
      cut = 0;
      return taken;
    },
  };
}
