/**
 * A happening in the gateway, for counters and traces. No happening holds anyone's words; `session` and ids are for
 * traces only, since a metric must not have a label for each chat. Times are milliseconds since 1970.
 */
export type Happening =
  | RunBegan
  /** A person sees something of the turn for the first time in this run, before its end. */
  | { readonly kind: "turn-seen"; readonly run: RunName; readonly at: number }
  | {
      readonly kind: "turn-ended";
      readonly run: RunName;
      readonly outcome: RunOutcome;
      /** From the error catalogue. */
      readonly code?: string;
      readonly at: number;
    }
  | ModelAsked
  | ToolCalled
  | { readonly kind: "question-asked"; readonly turn: string; readonly calls: number; readonly at: number }
  | {
      readonly kind: "question-closed";
      readonly decision: QuestionEnd;
      readonly openMs: number;
    }
  | { readonly kind: "store-failed" };

/** A run of a turn: a turn runs again after an answer, after a wait, and after a crash. */
export interface RunName {
  readonly turn: string;
  /** Counts the runs of a turn from 1. */
  readonly token: number;
}

export interface RunBegan {
  readonly kind: "turn-began";
  readonly run: RunName;
  readonly session: string;
  /** The sub-agent that runs; absent for Kurisu herself. */
  readonly agent?: string;
  /** The last decision that the turn was resumed by. */
  readonly decision?: QuestionEnd;
  readonly at: number;
}

/**
 * `asks`: it waits for an approval. `waits`: for sub-agents or for a model. `left`: it is tried again or goes on in
 * another process.
 */
export type RunOutcome = "replied" | "asks" | "waits" | "failed" | "stopped" | "left";

export type QuestionEnd = "approved" | "rejected" | "expired" | "cancelled";

/** One request to one model, also of an attempt that failed. */
export interface ModelAsked {
  readonly kind: "model-asked";
  /** Absent for work beside turns. */
  readonly turn?: string;
  /** `provider:name` */
  readonly model: string;
  /** `answered`, `stopped`, or the kind of the failure. */
  readonly outcome: string;
  readonly input: number;
  readonly output: number;
  readonly startedAt: number;
  readonly ms: number;
}

interface ToolCalled {
  readonly kind: "tool-called";
  readonly turn: string;
  readonly call: string;
  /** Absent when there is no such tool: the name is the model's own text. */
  readonly tool?: string;
  readonly level: string;
  /** A CallCode: `ok` for success. */
  readonly outcome: string;
  readonly at: number;
  readonly ms: number;
}

/** Never throws. */
export type Meter = (happening: Happening) => void;

/** For parts that stand alone. */
export const noMeter: Meter = () => undefined;
