/** Times are milliseconds since 1970. */

export interface PartView {
  readonly name: string;
  readonly state: "starting" | "ready" | "degraded" | "failed" | "off";
  readonly since: number;
  readonly detail: string;
}

export interface TodayView {
  readonly now: number;
  readonly well: {
    /** The worst that is true. */
    readonly state: "well" | "watch" | "model" | "paused";
    readonly parts: readonly PartView[];
  };
  readonly pause?: { readonly since: number; readonly name: string };
  readonly strangers: readonly StrangerView[];
  readonly requests: readonly RequestView[];
  readonly later: readonly LaterView[];
  readonly did: DidView;
  readonly cost: CostView;
  /** The newest first. */
  readonly record: readonly RecordView[];
  /** The next first. */
  readonly next: readonly DueView[];
  /** The parts that an installation still lacks; absent once a model is connected and there is an owner. */
  readonly setup?: SetupView;
}

/** A person without a role who wrote to her and was given a code. */
export interface StrangerView {
  readonly code: string;
  readonly name: string;
  readonly person: string;
  readonly expires: number;
}

/** A request that the platform makes: to be friends, to join a group, or an invitation. */
export interface RequestView {
  readonly id: string;
  readonly code: string;
  readonly kind: "friend" | "join" | "invitation";
  readonly person: string;
  readonly chat: string;
  readonly comment: string;
  readonly expires: number;
}

/** The outcome of the answer, in words. */
export interface RequestAnswerView {
  readonly text: string;
}

/** Nothing of it is urgent. */
export type LaterView =
  | { readonly kind: "restart"; readonly keys: readonly string[] }
  | { readonly kind: "refused"; readonly files: readonly string[] }
  | { readonly kind: "mcp"; readonly server: string; readonly tools: number };

interface DidView {
  /** Turns that people began. */
  readonly turns: number;
  readonly calls: number;
  readonly refused: number;
}

export interface CostView {
  readonly tokens: number;
  /** In the currency of the prices; absent where no model has a price. */
  readonly spent?: number;
  /** The daily limit, in the unit of `spent`, or of `tokens` where that is absent. */
  readonly limit?: number;
  /** The share of the input that came from a cache, 0 to 1; absent without input. */
  readonly cached?: number;
  /** Fourteen days, the oldest first. */
  readonly days: readonly { readonly day: string; readonly tokens: number; readonly spent: number }[];
}

export interface RecordView {
  readonly at: number;
  readonly mark: "done" | "waits" | "refused";
  /** An action of the audit, `chat` or `reminder`. */
  readonly what: string;
  readonly who?: string;
  readonly chat?: string;
  readonly session?: string;
  /** A tool, a server or a reminder. */
  readonly about?: string;
  /** A question. */
  readonly code?: string;
  readonly count?: number;
}

/** A reminder. */
interface DueView {
  readonly at: number;
  readonly text: string;
  readonly who: string;
}

interface SetupView {
  /** The person who sends it in a chat becomes the owner. */
  readonly ownerCode?: string;
  readonly isOffline: boolean;
}
