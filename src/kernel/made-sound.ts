/** A speech as a file. */
export type MadeSound =
  | { readonly kind: "made"; readonly content: Buffer }
  /** For the log. */
  | { readonly kind: "failed"; readonly reason: string };
