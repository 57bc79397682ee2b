/** How much of a folder is copied or compared. What exceeds it is refused as a whole: half a copy would show half the truth. */
export interface TreeLimits {
  /** Files, folders and links. */
  readonly entries: number;
  readonly bytes: number;
  /** Folders inside of folders; each one holds a descriptor open. */
  readonly depth: number;
}

/** Which limit was met. */
export interface TreeExcess {
  readonly what: keyof TreeLimits;
  readonly limit: number;
}

/** Thrown by walkTree; its callers turn it into data. */
export class TreeTooLarge extends Error {
  override readonly name = "TreeTooLarge";
  readonly excess: TreeExcess;

  constructor(excess: TreeExcess) {
    super(`more than ${excess.limit} ${excess.what}`);
    this.excess = excess;
  }
}

/** Counts up to the limits and throws beyond them. */
export interface TreeCount {
  add(what: keyof TreeLimits, amount: number): void;
  /** Depth does not add up. */
  checkDepth(depth: number): void;
}

export function countTree(limits: TreeLimits): TreeCount {
  const counted = { entries: 0, bytes: 0, depth: 0 };
  const check = (what: keyof TreeLimits, amount: number): void => {
    if (amount > limits[what]) throw new TreeTooLarge({ what, limit: limits[what] });
  };
  return {
    add(what, amount) {
      counted[what] += amount;
      check(what, counted[what]);
    },
    checkDepth: (depth) => check("depth", depth),
  };
}
