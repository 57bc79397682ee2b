import type { Block } from "./chats-views.ts";

/** Questions as the page shows them. Hidden characters in texts of others are made visible. */

export interface DiffView {
  readonly file: string;
  /** The kind of change, and its size. */
  readonly note: string;
  readonly lines: readonly { readonly sign: "+" | "-" | " " | "@"; readonly text: string }[];
}

export interface AskedCallView {
  readonly call: string;
  readonly hash: string;
  readonly tool: string;
  /** The tool as people call it. */
  readonly name: string;
  readonly summary: string;
  /** All that it would do. */
  readonly detail: string;
  /** The same, line by line. */
  readonly diff?: DiffView;
  /** Hosts that it may reach. */
  readonly network: readonly string[];
  /** The calls that a grant would cover. */
  readonly pattern?: string;
  readonly state: "asked" | "approved" | "rejected" | "consumed";
}

/** The effect of the calls on a copy of the workspace: `refused` = they were not tried out, and the text says why. */
export type PreviewView =
  | { readonly kind: "running" }
  | {
      readonly kind: "ran" | "refused" | "broken";
      readonly at: number;
      readonly blocks: readonly Block[];
    };

export type GrantWish = { readonly kind: "time"; readonly ms: number } | { readonly kind: "task" };

/** The end of a question: by whom, where, when. */
export interface QuestionEnd {
  readonly by: string;
  /** The signed-in person ended it. */
  readonly you: boolean;
  /** Where they have their account. */
  readonly platform: string;
  readonly how:
    | "words"
    | "button"
    | "command"
    | "console"
    | "changed"
    | "expiry"
    | "stop"
    | "new"
    | "worldline"
    | "policy"
    | "pause";
  readonly at: number;
}

export interface QuestionView {
  readonly id: string;
  readonly code: string;
  readonly session: string;
  readonly chat: { readonly platform: string; readonly kind: "private" | "group"; readonly name: string };
  readonly asker: { readonly name: string; readonly you: boolean };
  /** The sub-agent that wants it. */
  readonly agent?: string;
  readonly state: "open" | "approved" | "rejected" | "expired" | "cancelled";
  readonly end?: QuestionEnd;
  readonly created: number;
  readonly deadline: number;
  readonly votes: { readonly have: number; readonly need: number; readonly yours: boolean };
  /** Whether the signed-in person may approve it. */
  readonly yours: boolean;
  /** Why it is asked and whose approval it needs, in sentences. */
  readonly why: readonly string[];
  /** Where it acts and what it reaches, in sentences. */
  readonly effects: readonly string[];
  readonly calls: readonly AskedCallView[];
  readonly grants: readonly GrantWish[];
  /** Whether the calls can be tried out on a copy of the workspace. */
  readonly canPreview: boolean;
  /** The last time the console had these calls tried out. */
  readonly preview?: PreviewView;
  /** Platforms of the chats that show it. */
  readonly shownIn: readonly string[];
}

export interface QuestionsView {
  readonly now: number;
  /** The first to expire comes first. */
  readonly open: readonly QuestionView[];
  /** Those of the last 24 hours, the newest first. */
  readonly closed: readonly QuestionView[];
}

export interface DecisionRequest {
  readonly decision: "approved" | "rejected";
  /** All calls as they were shown. */
  readonly calls: readonly { readonly call: string; readonly hash: string }[];
  /** The calls that are meant, counted from 1, when not all. */
  readonly numbers?: readonly number[];
  readonly grant?: GrantWish;
}

export type PreviewRequest = Pick<DecisionRequest, "calls">;

/** `question` = how it is now. `running` and `unsupported` are said of previews only. */
export type RefusedDecision = { readonly message: string; readonly question?: QuestionView } & (
  | {
      readonly code:
        | "invalid"
        | "not-found"
        | "forbidden"
        | "changed"
        | "expired"
        | "paused"
        | "running"
        | "unsupported";
    }
  | ({ readonly code: "closed" } & QuestionEnd)
);
