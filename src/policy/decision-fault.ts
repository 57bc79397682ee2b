/** Why a ruling cannot be carried out as it was said; the question stays open. */
export type DecisionFault =
  | { readonly kind: "no-such-number"; readonly number: number; readonly last: number }
  /** Who shares the decision with others decides the whole of it. */
  | { readonly kind: "whole-only" }
  | { readonly kind: "no-standing" }
  | { readonly kind: "standing-time" };
