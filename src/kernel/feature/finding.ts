/** A finding of the doctor; `detail` holds the remedy where one is needed. */
export interface Finding {
  readonly check: string;
  readonly state: "ok" | "warning" | "broken";
  readonly detail: string;
}
