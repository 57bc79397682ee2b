/** Texts that are not saved, by the names of their files. */
export type Drafts = Readonly<Record<string, string>>;

export interface TrialFault {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly key: string;
  readonly problem: string;
}

/** The persona cannot be read as it is, or as its drafts would make it. */
export interface FaultyPersonaView {
  readonly code: "faulty";
  readonly message: string;
  readonly faults: readonly TrialFault[];
}

export interface ReplyCheckView {
  readonly verdict: "ok" | "break";
  /** Kinds of a break, for which the page has words. */
  readonly kinds: readonly string[];
}

/** The size of a try, before it is made. */
export interface TryEstimateView {
  /** No model is connected, so nothing can be tried. */
  readonly isOffline: boolean;
  readonly model: string;
  /** Tokens that go in, and those assumed for the answer. */
  readonly input: number;
  readonly output: number;
  /** In the currency of the prices; absent for a model without a price. */
  readonly cost?: number;
  readonly hasLorebook: boolean;
}

export interface TriedView extends ReplyCheckView {
  /** The reply as a chat would get it. */
  readonly reply: string;
  /** Whether it is other than what the model wrote at first. */
  readonly enforced: boolean;
  /** The first answer of the model. */
  readonly draft: string;
  /** The model was asked once more, as in a chat. */
  readonly isSecond: boolean;
  /** The model wrote nothing usable, so these are the persona's fixed words. */
  readonly isFallback: boolean;
  readonly model: string;
  readonly input: number;
  readonly output: number;
  readonly cost?: number;
  readonly ms: number;
}

export interface TryRefusalView {
  /** busy = another try of this login runs; spent = a limit of the day is reached. */
  readonly code: "busy" | "spent" | "offline" | "no-answer" | "paused";
  readonly message: string;
}

export type LoreWhyView =
  | {
      readonly kind:
        | "constant"
        | "keys"
        | "time"
        | "chance"
        | "budget"
        | "recursion-only"
        | "disabled"
        | "group"
        | "unknown";
    }
  | { readonly kind: "said" | "recursion"; readonly keys: readonly string[] };

export interface LoreRowView {
  /** Its place in the book, counted from 1. */
  readonly entry: number;
  readonly keys: readonly string[];
  readonly comes: boolean;
  readonly why: LoreWhyView;
  /** Below 100 where chance decides. */
  readonly percent: number;
  readonly content: string;
  readonly order: number;
}

export type LoreTestView =
  | { readonly kind: "none" }
  | { readonly kind: "tested"; readonly rows: readonly LoreRowView[]; readonly come: number; readonly all: number };

/** A card that was looked at; nothing of it is in force. */
export interface CardView {
  readonly digest: string;
  /** The id that it would get; "" where its name gives none that is free. */
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly hasPicture: boolean;
  readonly keeps: {
    /** Characters of the description. */
    readonly description: number;
    readonly greetings: number;
    readonly entries: number;
    readonly files: number;
  };
  /** The texts of entries that are in every prompt. */
  readonly always: readonly string[];
  /** Why its lorebook is left out. */
  readonly bookFault?: string;
  /** The proposed id is that of an earlier import. */
  readonly isThere: boolean;
  /** How the description begins. */
  readonly soul: string;
  /** The card's own instructions, whole. */
  readonly instructions: readonly { readonly name: string; readonly text: string }[];
}

export interface InstallCardRequest {
  readonly digest: string;
  readonly id: string;
  readonly instructions: boolean;
  readonly replace: boolean;
}

export interface InstalledCardView {
  readonly id: string;
}

export interface CardRefusalView {
  /** gone = examined too long ago, or another card since; there = an earlier import has the id. */
  readonly code: "gone" | "there" | "invalid" | "reserved" | "written" | "faulty" | "unwritable";
  readonly message: string;
}
