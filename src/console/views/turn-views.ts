import type { QuestionView } from "./question-views.ts";

/** One turn in detail. Hidden characters in texts of others are made visible. */

/** A request to a model. */
export interface ThoughtView {
  readonly model: string;
  readonly ms: number;
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  readonly end: "answered" | "stopped" | "failed";
}

export interface TurnCallView {
  readonly call: string;
  readonly tool: string;
  /** The one that says most, one line, cut. */
  readonly argument: string;
  /** The sub-agent that made it. */
  readonly agent?: string;
  readonly verdict?: "allow" | "ask" | "deny";
  /** Why the gate said so. */
  readonly reason?: string;
  /** none = it never ran, and nothing says why. */
  readonly state: "done" | "failed" | "denied" | "rejected" | "waits" | "running" | "unknown" | "none";
  readonly ms?: number;
  /** The code of its question. */
  readonly question?: string;
}

/** The model was asked, and calls came of it. */
export interface RoundView {
  readonly round: number;
  readonly thoughts: readonly ThoughtView[];
  /** How many calls of hers got which verdict; those of sub-agents do not count. */
  readonly verdicts: { readonly allow: number; readonly ask: number; readonly deny: number };
  /** The calls of a sub-agent follow the call that started it. */
  readonly calls: readonly TurnCallView[];
}

/** A chat that shows the card of a question. */
export interface CardView {
  readonly platform: string;
  /** By the platform's clock, if it reports the time. */
  readonly at?: number;
}

export interface TurnQuestionView extends Pick<QuestionView, "id" | "code" | "state" | "end"> {
  readonly asked: number;
  readonly cards: readonly CardView[];
}

export type TurnState = "running" | "parked" | "replied" | "failed" | "stopped" | "expired" | "cancelled";

/** The work of a sub-agent. */
export interface TaskView {
  readonly id: string;
  readonly agent: string;
  /** The call that sent it. */
  readonly call: string;
  readonly state: TurnState;
  readonly thoughts: number;
  /** Its model's time. */
  readonly ms: number;
}

export interface TurnView {
  readonly id: string;
  readonly session: string;
  readonly person: string;
  readonly began: number;
  readonly ended?: number;
  readonly state: TurnState;
  readonly models: readonly string[];
  /** Tokens of all requests, those of sub-agents too. Absent when no request is recorded. */
  readonly sums?: {
    readonly input: number;
    readonly cached: number;
    readonly output: number;
    /** Only where a model has a price. */
    readonly cost?: number;
    /** A server reported no tokens. */
    readonly estimated?: true;
  };
  readonly workMs: number;
  /** While its questions were open. */
  readonly waitedMs: number;
  readonly taint: "owner" | "user" | "exposed" | "untrusted";
  readonly sources: readonly string[];
  readonly rounds: readonly RoundView[];
  readonly questions: readonly TurnQuestionView[];
  readonly tasks: readonly TaskView[];
  /** Its first and its last row. */
  readonly audit?: { readonly first: number; readonly last: number };
  readonly chat: { readonly messages: number; readonly remembered: number; readonly grants: number };
}
