/** The newest output that has not been read yet. */
export interface NewestOutput {
  add(text: string): void;
  /** Removes and returns it; `whole` includes the part after the last blank, because nothing follows. */
  take(whole: boolean): { readonly output: string; readonly cut: number };
}

const keptLength = 12_000;

/**
 * Cuts only between words, so that no secret is split and the scrubber finds it whole. Only a word longer than the
 * buffer is cut.
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
      // Trimming is batched, so that many small pieces stay linear.
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
