/** Times are milliseconds since 1970. */

/** An account that wrote to her, or that she remembers something of. */
export interface PersonView {
  readonly id: string;
  readonly name: string;
  readonly platform: string;
  readonly memories: number;
  readonly lastAt: number;
}

/** Those heard last first. */
export interface PeopleView {
  readonly now: number;
  readonly items: readonly PersonView[];
}

export interface MemoryView {
  readonly id: number;
  readonly category: "preference" | "fact" | "opinion" | "attitude";
  readonly text: string;
  /** Since when it holds. */
  readonly at: number;
  readonly origin: "said" | "tool" | "extracted" | "command";
  /** 0 to 1 */
  readonly confidence: number;
  readonly isPinned: boolean;
  /** It was not only the person's own words. */
  readonly isForeign: boolean;
  readonly uses: number;
  readonly usedAt: number;
  /** The group where it was said; absent = in private. */
  readonly chat?: string;
  /** The words that it took the place of. */
  readonly before?: string;
}

/** Only that there was something. */
export interface ForgottenView {
  readonly id: number;
  readonly isForgotten: true;
  readonly at: number;
}

export interface MemoriesView {
  readonly items: readonly (MemoryView | ForgottenView)[];
  readonly next?: string;
}

/** The origin of a memory, and its history. */
export interface MemorySourcesView {
  /** The original words; absent when the message is not kept. */
  readonly said?: {
    readonly name: string;
    readonly at: number;
    readonly text: string;
    /** Its number in the chat log. */
    readonly hit: number;
    readonly session?: string;
    readonly chat?: string;
  };
  /** Its older versions, the newest first. */
  readonly before: readonly { readonly id: number; readonly text: string; readonly until: number }[];
  /** Oldest first. */
  readonly events: readonly {
    readonly at: number;
    readonly kind: "remembered" | "confirmed" | "superseded" | "pinned" | "unpinned" | "forgotten";
  }[];
}

export interface CorrectedView {
  readonly id: number;
}

/** The number of versions that went, and the memories that say nearly the same and stay. */
export interface ForgottenMemoryView {
  readonly memories: number;
  readonly stay: readonly { readonly id: number; readonly text: string }[];
}

/** How many rows of what. */
export interface ErasedView {
  readonly counts: Readonly<Record<string, number>>;
}

export interface ReminderView {
  readonly id: string;
  readonly text: string;
  /** It begins a turn. */
  readonly isTask: boolean;
  readonly person: string;
  readonly session: string;
  readonly chat: string;
  readonly platform: string;
  /** Its next time. */
  readonly at: number;
  /** It waits for the end of quiet hours. */
  readonly isHeld: boolean;
  /** How it repeats, in the language of the page. */
  readonly repeats?: string;
}

/** The waiting reminders, the next first. */
export interface RemindersView {
  readonly now: number;
  readonly items: readonly ReminderView[];
}
