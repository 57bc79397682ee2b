/** Messages that a search for keys may reach back. */
export const maxScanDepth = 100;

/** A lorebook: pieces of background that come into the prompt when the talk turns to them. */
export interface Lorebook {
  readonly entries: readonly LoreEntry[];
  /** Entries that are switched off; they never come, and are there to be explained. */
  readonly disabled: readonly LoreEntry[];
  /** How many of the newest messages are searched. */
  readonly scanDepth: number;
  /** Tokens of all pieces together. */
  readonly tokenBudget: number;
  /** Pieces may call further pieces. */
  readonly recursive: boolean;
}

/** SillyTavern's four ways in which secondary keys count, in addition to a primary one. */
export type LoreLogic = "any" | "not-all" | "not-any" | "all";

export interface LoreEntry {
  /** Its place in the book, counted from 1, with those that are switched off or cannot be used. */
  readonly number: number;
  readonly keys: readonly LoreKey[];
  /** Empty = the keys alone decide. */
  readonly secondaryKeys: readonly LoreKey[];
  readonly logic: LoreLogic;
  /** @@additional_keys: at least one of each list must occur, too. */
  readonly additionalKeys: readonly (readonly LoreKey[])[];
  /** @@exclude_keys: none may be there. */
  readonly excludeKeys: readonly LoreKey[];
  readonly content: string;
  /** Always active; keys are then ignored. */
  readonly constant: boolean;
  /** Smaller = earlier in the prompt. */
  readonly order: number;
  /** The smallest goes first when the budget is too small. */
  readonly priority: number;
  readonly position: LorePosition;
  /** Its own number of messages to search; undefined means the book's number. */
  readonly scanDepth: number | undefined;
  /** 0 to 1. */
  readonly probability: number;
  /** The group of which only one fitting entry is used, by weight; "" when there is none. */
  readonly group: string;
  readonly groupWeight: number;
  /** Messages for which it stays after its keys were said. */
  readonly sticky: number;
  /** Messages for which it rests after that. */
  readonly cooldown: number;
  /** Messages that a conversation must have. */
  readonly delay: number;
  /** @@activate_only_after, @@activate_only_every: counted in the persona's replies. */
  readonly onlyAfter: number;
  readonly onlyEvery: number;
  /** @@keep_activate_after_match, @@dont_activate_after_match. */
  readonly afterMatch: "usual" | "stays" | "never";
  /** No other entry's text calls it. */
  readonly excludeRecursion: boolean;
  /** Its text calls no other entry. */
  readonly preventRecursion: boolean;
  /** Only another entry's text calls it. */
  readonly delayUntilRecursion: boolean;
}

/** Around the description of the character, or `depth` messages above the newest. */
export type LorePosition = { readonly kind: "before" | "after" } | { readonly kind: "depth"; readonly depth: number };

/** `test` is there for a regular expression only. */
export interface LoreKey {
  readonly text: string;
  readonly caseSensitive: boolean;
  /** Never set for Chinese and Japanese, which have no spaces. */
  readonly wholeWord: boolean;
  readonly test?: (text: string) => boolean;
}
