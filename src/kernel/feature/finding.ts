/** A finding of the doctor; `detail` includes the remedy where one is needed. */
export interface Finding {
  readonly check: string;
  readonly state: "ok" | "warning" | "broken";
  readonly detail: string;
}
