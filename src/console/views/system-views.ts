import type { PartView } from "./today-views.ts";

/** Times are milliseconds since 1970. */

export interface SystemView {
  readonly now: number;
  readonly version: string;
  readonly parts: readonly PartView[];
  readonly pause?: { readonly since: number; readonly name: string };
  readonly queues: {
    readonly waiting: number;
    readonly running: number;
    /** Kept until the pause ends. */
    readonly kept: number;
    readonly unsent: number;
    readonly oldestUnsent?: number;
    /** Events that failed again and again. */
    readonly putAside: number;
  };
}

/** A message that its platform did not take. */
export interface DeadLetterView {
  readonly id: string;
  readonly session: string;
  readonly chat: string;
  readonly at: number;
  /** Cut; the name of a file without a text. */
  readonly text: string;
  readonly reason: string;
  readonly isPartlySent: boolean;
  readonly mayRetry: boolean;
}

export interface DeadLettersView {
  readonly items: readonly DeadLetterView[];
  readonly next?: string;
}

export interface ResumedView {
  /** The messages of people that were kept. */
  readonly kept: number;
}

export const logLevels = ["trace", "debug", "info", "warn", "error", "fatal"] as const;
export type LogLevelName = (typeof logLevels)[number];

export interface LogLineView {
  /** From 1 on, since the start of the process. */
  readonly number: number;
  readonly at: number;
  readonly level: LogLevelName;
  readonly text: string;
  /** A platform or another part. */
  readonly part?: string;
  readonly session?: string;
  /** The other fields of the line, as `name: value`, and the trace of a fault. */
  readonly more?: string;
}

export interface LogView {
  readonly lines: readonly LogLineView[];
  /** Changes with each start of the process, after which the numbers begin at 1 again. */
  readonly start: string;
  /** The number of the newest line. */
  readonly last: number;
}

export interface UsageView {
  readonly from: string;
  readonly to: string;
  readonly by: "day" | "model" | "person" | "session" | "tool";
  /** The prices have a currency; without it only tokens count. */
  readonly hasPrice: boolean;
  readonly rows: readonly UsageRowView[];
}

export interface UsageRowView {
  readonly key: string;
  /** The page shows it for the key. */
  readonly name: string;
  readonly calls: number;
  /** Calls for which the server reported no tokens. */
  readonly estimated: number;
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  readonly spent: number;
}

export interface AuditRowView {
  readonly seq: number;
  readonly at: number;
  readonly actor: string;
  readonly action: string;
  readonly session?: string;
  readonly turn?: string;
  readonly call?: string;
  /** JSON on one line, cut. */
  readonly detail: string;
  /** The first of its link in the chain; absent when it has none, which no row of ours can be. */
  readonly link?: string;
}

export interface AuditView {
  readonly items: readonly AuditRowView[];
  readonly next?: string;
}

export type AuditCheckView =
  | { readonly kind: "intact"; readonly rows: number; readonly erased: number; readonly anchors: number }
  | {
      readonly kind: "broken";
      readonly damage: string;
      readonly seq?: number;
      readonly sound: number;
      readonly detail: string;
    };
