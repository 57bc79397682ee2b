/** The result of speech synthesis. */
export type Speech =
  | { readonly kind: "spoken"; readonly content: Buffer }
  /** For the log. */
  | { readonly kind: "failed"; readonly reason: string };
