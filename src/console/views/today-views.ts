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
}
